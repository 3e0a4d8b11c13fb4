// The command without bin/holdpoint.js, for tools/testkit/src/programs.ts to bundle: for tests that start it many times.

import { run } from "holdpoint/internal"

await run()
