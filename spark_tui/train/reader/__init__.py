"""Trains the reader of `intent`: examples from wordings and real code, the network in torch, evaluation."""
