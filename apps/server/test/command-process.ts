// The command without bin/holdpoint.js, for test/programs.ts to bundle: for tests that start it many times.

import { run } from "../src/main.ts"

await run()
