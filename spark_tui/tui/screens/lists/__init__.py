"""The lists that open over the workbench: files, models, settings, jobs and problems."""
