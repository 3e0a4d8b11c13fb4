// Checks of what a server outlives: rejections that nothing handles, and a database that is not there or goes away. Also
// that its first connection is as quick as the others.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const faults = "apps/holdpoint/test/faults.db.test.ts"

export const faultMutations: readonly Mutation[] = [
  ...within(
    "apps/holdpoint/src/serve/faults.ts",
    [
      "faults: a rejection that nothing handles does not end the server",
      'process.on("unhandledRejection", onRejection)',
      "void onRejection",
      faults,
      "a rejection that nothing handles is reported, and the server goes on",
    ],
    [
      "faults: an exception that nothing caught closes the server in order",
      'process.on("uncaughtException", onException)',
      "void onException",
      faults,
      "an exception that nothing caught is reported, and the server closes in order",
    ],
    [
      "faults: a server stops when its database is two migrations newer",
      'unusable.addEventListener("abort", onUnusable)',
      "void onUnusable",
      faults,
      "a server goes on beside programs that are one migration newer, and stops in order when they are two ahead",
    ],
  ),
  ...within("apps/holdpoint/src/serve/await-database.ts", [
    "faults: a server waits for a database that is not there yet",
    "if (!isAway) throw error",
    "if (isAway || !isAway) throw error",
    faults,
    "a server waits for a database that is not there yet, and outlives one that goes away",
  ]),
  ...within("apps/holdpoint/src/commands/serve.ts", [
    "faults: a server waits for a database that goes away while it starts",
    "awaitDatabase(call, session.settings.database, () =>\n        start(call, session, { observer: telemetry.observer, mounts }),\n      )",
    "start(call, session, { observer: telemetry.observer, mounts })\n      void awaitDatabase",
    faults,
    "a server waits for a database that goes away in the middle of its start",
  ]),
  ...within("packages/agents/src/http/reader.ts", [
    "a reader at another process reads the run before its log, so that no end is lost",
    "      const current = isHere ? undefined : await conversations.get(run.id)\n      const chunks = isComplete ? latestChunks : await logs.read(run, last)\n",
    "      const chunks = isComplete ? latestChunks : await logs.read(run, last)\n      const current = isHere ? undefined : await conversations.get(run.id)\n",
    "packages/agents/test/read-elsewhere.test.ts",
    "is read to its end by",
  ]),
  ...within("apps/holdpoint/src/serve/listen.ts", [
    "the first connection sends small parts at once",
    "{ noDelay: true }",
    "{ noDelay: false }",
    "apps/holdpoint/test/first-connection.test.ts",
    "sends each part of a response at once, like the connections after it",
  ]),
]
