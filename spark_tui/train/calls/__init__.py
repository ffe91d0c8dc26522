"""Training edits that are made by calls: sampled in a window of code, worded by voices, done by codemods."""
