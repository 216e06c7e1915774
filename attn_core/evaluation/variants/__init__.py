"""What the benchmarks `variants` and `claims` measured about the presets of attn_core.models.variants."""
