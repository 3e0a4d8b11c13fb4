// A run that leaks on purpose, started by canaries.test.ts. Nothing in it fails but for that.

import { defineConfig } from "vitest/config"
import { createCanaryReporter } from "../reporter.ts"

export default defineConfig({
  test: {
    include: ["*-leak.ts"],
    setupFiles: ["../watch.ts"],
    // A database of its own, which is searched when the server has stopped: only for the files that use one.
    globalSetup: process.env.LEAKS_WITHOUT_POSTGRES === "1" ? [] : ["../../postgres.ts"],
    reporters: ["default", createCanaryReporter()],
    maxWorkers: 1,
    isolate: false,
  },
})
