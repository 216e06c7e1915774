"""The dashboard: widgets, a cached call, figures. Nobody imports it."""
