// The test run: "fast" needs nothing but Node; "db" brings its own Postgres out of npm or uses DATABASE_URL, and has the tests
// that start many processes; "browser" brings its own Chromium.

import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { createCanaryReporter } from "./test/canaries/reporter.ts"
import { notesVariable } from "./test/times/notes.ts"
import { createTimesReporter } from "./test/times/reporter.ts"

// Most of what a short-lived process costs is reading TypeScript: hundreds of them share what one has compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url))

const isTimed = process.env[notesVariable] !== undefined
const setupFiles = ["tools/testkit/src/canaries/watch.ts", ...(isTimed ? ["test/times/stamp.ts"] : [])]

/** Room for young objects: with the default, workers spend up to a tenth of their time on collecting them. */
const execArgv = ["--max-semi-space-size=64"]

/** They run scripts in several shells, or whole attacks on a program's pages, which takes too long for `npm run check`. */
const longerTests = ["apps/shell/test/**/*.test.ts", "apps/holdpoint/test/attacks/**/*.test.ts"]

/** Tests of the whole repository that are as quick as those of one package. */
const acrossPackages = ["test/guards/**/*.test.ts", "test/across/**/*.test.ts"]

const live = {
  test: {
    name: "live",
    setupFiles,
    include: ["apps/nextcloud/test/live/*.live.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
}

const walk = {
  test: {
    name: "walk",
    setupFiles,
    include: ["scripts/walks/walks.ts"],
    testTimeout: 180_000,
    globalSetup: ["tools/testkit/src/scratch.ts"],
  },
}

export default defineConfig({
  test: {
    // More than a small machine has cores: tests often wait for browsers, databases and other processes. On two cores, the
    // whole run took 338 s with three workers and 281 s with four.
    maxWorkers: 4,
    expect: { poll: { timeout: 15_000 } },
    // What was secret in a run must be seen nowhere in it.
    reporters: ["default", createCanaryReporter(), ...(isTimed ? [createTimesReporter()] : [])],
    projects: [
      {
        test: {
          name: "fast",
          setupFiles,
          execArgv,
          include: [
            ...["packages", "apps", "tools"].map((folder) => `${folder}/*/test/**/*.test.ts`),
            ...acrossPackages,
          ],
          exclude: ["**/*.db.test.ts", "**/*.browser.test.ts", "**/*.live.test.ts", ...longerTests],
          // Nothing here keeps state between files, and loading everything again for each takes longer than the tests.
          isolate: false,
          unstubEnvs: true,
          // Time to find out that something hangs, and not how busy the machine is.
          testTimeout: 20_000,
          // Prompts are tried on a terminal that has a cursor, whatever the tests themselves run in.
          env: { TERM: "xterm-256color" },
          globalSetup: ["tools/testkit/src/scratch.ts"],
        },
      },
      {
        test: {
          name: "db",
          setupFiles,
          execArgv,
          include: [
            ...["packages", "apps", "tools"].map((folder) => `${folder}/*/test/**/*.db.test.ts`),
            "test/*.test.ts",
            "test/!(guards|across)/**/*.test.ts",
            "test/across/**/*.db.test.ts",
            ...longerTests,
          ],
          exclude: ["**/*.browser.test.ts"],
          globalSetup: ["test/postgres.ts", "tools/testkit/src/run-folder.ts", "tools/testkit/src/scratch.ts"],
          // As in "fast": files keep their state in databases and folders of their own.
          isolate: false,
          unstubEnvs: true,
          testTimeout: 170_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "browser",
          setupFiles,
          execArgv,
          include: ["**/*.browser.test.ts"],
          exclude: ["**/node_modules/**", "build/**"],
          globalSetup: ["tools/testkit/src/run-folder.ts", "tools/testkit/src/scratch.ts"],
          // Files share a browser and what they import.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // Needs a real Nextcloud: npm run test:live.
      ...(process.env.HOLDPOINT_LIVE === "1" ? [live] : []),
      // Measures, and tests nothing: npm run walk.
      ...(process.env.HOLDPOINT_WALKS === undefined ? [] : [walk]),
    ],
  },
})
