"""The Explorer as a site: plain files that translate in the browser, with no server that computes."""
