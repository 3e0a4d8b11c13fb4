// The test run that leaks on purpose, started by canaries.test.ts. It fails only because of its leaks.

import { defineConfig } from "vitest/config"
import { createCanaryReporter } from "../reporter.ts"

export default defineConfig({
  test: {
    include: ["*-leak.ts"],
    setupFiles: ["../../../tools/testkit/src/canaries/watch.ts"],
    // A separate database, which is searched when the server has stopped. Only some files need it.
    globalSetup: process.env.LEAKS_WITHOUT_POSTGRES === "1" ? [] : ["../../postgres.ts"],
    reporters: ["default", createCanaryReporter()],
    maxWorkers: 1,
    isolate: false,
  },
})
