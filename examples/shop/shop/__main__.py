from shop.cli import main

raise SystemExit(main())
