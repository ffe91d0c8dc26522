"""`python -m spark_tui` is the same as `spark`."""

from spark_tui.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
