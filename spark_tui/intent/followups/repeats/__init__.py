"""An edit done to other places too."""
