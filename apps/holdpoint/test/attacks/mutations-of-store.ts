// Checks of stored data: files, limits, commits, sealing, and the content of logs and dumps.

import { type Mutation, within } from "./mutation.ts"

const memoryTests = "packages/hub/test/stores/memory.test.ts"
const sqliteTests = "packages/hub/test/stores/sqlite.db.test.ts"
const postgresTests = "packages/hub/test/stores/postgres.db.test.ts"
const notifyTests = "packages/hub/test/stores/notify.db.test.ts"
const sealTests = "packages/hub/test/sealing/seal.test.ts"
const refreshTests = "packages/accounts/test/vault/refresh.test.ts"
const hubTests = "packages/hub/test/hub/hub.test.ts"
const usualLimits = "are 20 open questions for each person and 10,000 for each tenant by default"
const thief = "does not let its thief in: it has ids of sessions and flows, but not what the browser has"

export const storeMutations: readonly Mutation[] = [
  ...within("packages/hub/src/stores/postgres-procedure.ts", [
    "no entry for a single write that lost its race",
    'if (resultKind === "id") steps.push("IF NOT FOUND THEN RETURN NULL; END IF")',
    "",
    postgresTests,
    "returns false and changes nothing unless the stored revision is the one before",
  ]),
  ...within("packages/hub/src/stores/statements.ts", [
    "an insert that does not count the rows still checks the limits",
    'insertIf(`${mostOpen} < ${integerMember("least_most")}`)',
    'insertIf("true")',
    sqliteTests,
    "enforces the limit of a tenant when two processes far below it insert at the same time",
  ]),
  ...within(
    "packages/hub/src/stores/sqlite-database.ts",
    [
      "the database is private",
      "    if (isNew) chmodSync(path, 0o600)\n",
      "",
      sqliteTests,
      "a SQLite storage creates files that only their owner can read, and a bell file that does not grow",
    ],
    [
      "the bell is private",
      "constants.O_CREAT, 0o600)",
      "constants.O_CREAT, 0o644)",
      sqliteTests,
      "a SQLite storage creates files that only their owner can read, and a bell file that does not grow",
    ],
    [
      "durable when it is acknowledged",
      "commitStatement.run()\n          bell.ring()",
      'connection.exec("ROLLBACK")\n          bell.ring()',
      sqliteTests,
      "keeps a form across restarts between asking, answering and reading",
    ],
    [
      "no entry for a write that lost its race",
      "      if (stamp !== null && lostStamps.has(stamp)) continue\n",
      "",
      sqliteTests,
      "returns false and changes nothing unless the stored revision is the one before",
    ],
    [
      "the bell rings later for commits during its pause",
      "    if (isRingDue) bell.ring()\n",
      "",
      notifyTests,
      "sqlite: another storage is notified of the last of many commits without a pause",
    ],
    [
      "the bell rings before the storage closes",
      "      if (isRingDue) writeBell()\n",
      "",
      notifyTests,
      "sqlite: another storage is notified of a commit just before the writer closes",
    ],
  ),
  ...within("packages/hub/src/stores/postgres-database.ts", [
    "listening storages are notified",
    "SELECT pg_advisory_lock_shared(",
    "SELECT format('', ",
    notifyTests,
    "postgres: a commit sends a notification only while another storage is open",
  ]),
  ...within("packages/hub/src/sealing/private-file.ts", [
    "the key file is private",
    "constants.O_WRONLY | flag, 0o600)",
    "constants.O_WRONLY | flag, 0o644)",
    "packages/hub/test/sealing/key-file.test.ts",
    "is created beside the database, readable only by its owner, with advice for production",
  ]),
  ...within(
    "packages/hub/src/stores/memory.ts",
    [
      "one answer wins, in memory",
      "if (current === undefined || current.revision !== next.revision - 1) return false",
      "if (current === undefined) return false",
      memoryTests,
      "lets exactly one of 20 concurrent answers win when they come through two openings",
    ],
    [
      "questions to one person are limited, in memory",
      'if (isFullFor(elicitation, limits.perPerson)) return { stored: false, full: "person" }',
      "",
      memoryTests,
      "stores exactly 20 of 50 concurrent questions to one person, through two openings",
    ],
  ),
  ...within("packages/hub/src/stores/statements.ts", [
    "one answer wins, in SQL",
    "AND elicitation.revision = ",
    "AND 0 <= ",
    sqliteTests,
    "lets exactly one of 20 concurrent answers win when they come through two openings",
  ]),
  ...within("packages/hub/src/stores/writes.ts", [
    "questions to one person are limited within one commit",
    "const personAhead = Math.max(0, ...personsAhead)",
    "const personAhead = 0",
    postgresTests,
    "stores exactly 20 of 50 concurrent questions to one person, through two openings",
  ]),
  ...within("packages/hub/src/stores/rows.ts", [
    "questions to one person are limited, in SQL",
    "person_most: insertLimits.limits.perPerson,",
    "person_most: 1_000_000,",
    sqliteTests,
    "stores exactly 20 of 50 concurrent questions to one person, through two openings",
  ]),
  ...within(
    "packages/hub/src/core/limits.ts",
    ["20 open questions for each person", "pendingPerPerson: 20,", "pendingPerPerson: 2_000,", hubTests, usualLimits],
    [
      "10,000 open questions for each tenant",
      "pendingPerTenant: 10_000,",
      "pendingPerTenant: 100_000,",
      hubTests,
      usualLimits,
    ],
  ),
  ...within("packages/hub/src/stores/sql-store.ts", [
    "text is a bound parameter",
    "return { text: sql.listAddressee(listing), values:",
    'return { text: sql.listAddressee(listing).replaceAll("$5", () => ["", JSON.stringify(keys), ""].join("\'")), values:',
    sqliteTests,
    "returns text of any script in every text field of a question",
  ]),
  ...within("packages/hub/src/stores/postgres.ts", [
    "the name of a schema is checked",
    "if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) {",
    "if (false) {",
    "packages/hub/test/stores/postgres.test.ts",
    "refuses a schema whose name is not a plain identifier",
  ]),
  ...within("packages/hub/src/hub/deliveries/delivery-queue.ts", [
    "messages are withdrawn after a restart",
    "        await Promise.all(page.map(endSettled))\n        lastDelivery = page.at(-1)",
    "        lastDelivery = page.at(-1)",
    "packages/hub/test/deliveries/processes.db.test.ts",
    "withdraw, after a restart, a question that was answered while the outlet was not running",
  ]),
  ...within(
    "packages/hub/src/sealing/cipher.ts",
    [
      "bindings that join to the same text are different",
      "Buffer.from(JSON.stringify([format, ...binding]))",
      'Buffer.from([format, ...binding].join(""))',
      sealTests,
      "does not open with any other binding, even if the parts join to the same text",
    ],
    [
      "a sealed text has only one spelling",
      ' || bytes.toString("base64url") !== encoded) return undefined',
      ") return undefined",
      sealTests,
      "does not open anything with an altered character",
    ],
  ),
  ...within("packages/hub/src/sealing/sealed-storage.ts", [
    "answers are sealed when they are stored",
    "store.replace(await withSealedContent(next), entry)",
    "store.replace(next, entry)",
    "test/across/hub/sealing/sealed-storage.test.ts",
    "leaves no readable answer or token in a dump of the database",
  ]),
  ...within(
    "packages/fetching/src/guarded-fetch.ts",
    [
      "a response without an end is cut off",
      "if (receivedBytes > maxBytes) throw tooLargeError(maxBytes)",
      "",
      "packages/fetching/test/guarded-fetch.test.ts",
      "cut off a large body without a declared size",
    ],
    [
      "a request to a silent server ends",
      "    Math.min(timeoutMs, longestTimerMs),",
      "    2 ** 30,",
      "packages/fetching/test/guarded-fetch.test.ts",
      "end a request to a silent server, and a response that never ends",
    ],
  ),
  ...within("packages/hub/src/sealing/canary.ts", [
    "the canary is checked",
    "  assertCanaryOpens(sealer, canary)\n  if (canary.sealed.keyId",
    "  if (canary.sealed.keyId",
    "packages/hub/test/sealing/canary.test.ts",
    "says what to do, and changes nothing",
  ]),
  ...within("packages/hub/src/stores/memory-records.ts", [
    "rewrapping overwrites nothing",
    "if (records?.get(record.id)?.version !== record.version - 1) return false",
    "if (records === undefined) return false",
    "test/across/hub/sealing/rewrap.test.ts",
    "does not undo a write that came after its read, and rewraps the new value",
  ]),
  ...within(
    "packages/hub/src/sealing/rewrap.ts",
    [
      "records that are sealed during the rewrap are rewrapped too",
      "if (readableCount === 0) return",
      "return",
      "test/across/hub/sealing/rewrap.test.ts",
      "does not undo a write that came after its read, and rewraps the new value",
    ],
    [
      "a rewrap that left records with the old key is not finished",
      "  }\n  return { ...progressNow(), isFinished: false }",
      "  }\n  return { ...progressNow(), isFinished: true }",
      "test/across/hub/sealing/rewrap.test.ts",
      "is not reported as finished while another process still seals with the old key",
    ],
  ),
  ...within("packages/hub/src/sealing/seal.ts", [
    "the newest key seals",
    "sealed.keyId === refreshRing().current ?",
    'sealed.keyId !== "" ?',
    "test/across/hub/sealing/rewrap.test.ts",
    "loses no write of 50 writers, and then the old key can be removed",
  ]),
  ...within("packages/hub/src/sealing/hash.ts", [
    "tokens are stored as hashes",
    'return createHash("sha256").update(token).digest("base64url")',
    "return createHash === undefined ? '' : token",
    "dump",
    "is worthless: it contains none of the secrets, in any encoding",
  ]),
  ...within("packages/server/src/identity/sessions.ts", [
    "the stored id of a session is not its cookie",
    "token === undefined ? undefined : await records.get(hashOf(token))",
    "token === undefined ? undefined : ((await records.get(token)) ?? (await records.get(hashOf(token))))",
    "dump",
    thief,
  ]),
  ...within("packages/accounts/src/vault/consent/arrive.ts", [
    "the stored id of a flow is not its state",
    "const flow = await parts.storage.records(flowKind).get(",
    "const flow = (await parts.storage.records(flowKind).get(String(state))) ?? await parts.storage.records(flowKind).get(",
    "dump",
    thief,
  ]),
  ...within("packages/accounts/src/vault/consent/begin.ts", [
    "no state in the trail",
    'via: "web",\n    expiresAt: flow.expiresAt,',
    "via: state,\n    expiresAt: flow.expiresAt,",
    "dump",
    "in the trail has no secret",
  ]),
  ...within("packages/server/src/http/provider-callback.ts", [
    "no code in a redirect",
    "return toRedirect(pathTo(paths.connect, elicitation), { cookies })",
    "return toRedirect(pathTo(paths.connect, elicitation) + url.search, { cookies })",
    "dump",
    "in pages, redirects and reports has no secret",
  ]),
  ...within(
    "packages/accounts/src/vault/credentials.ts",
    [
      "credentials are not in JSON",
      '  toJSON(): string {\n    return "[secret]"\n  }\n',
      "",
      "dump",
      "when credentials are logged by mistake has no secret",
    ],
    [
      "credentials are not on a console",
      '  [inspect.custom](): string {\n    return "[secret]"\n  }\n',
      "",
      "dump",
      "when credentials are logged by mistake has no secret",
    ],
  ),
  ...within(
    "packages/accounts/src/vault/refresh.ts",
    [
      "new tokens are stored in one step",
      "toGrant(parts, current, { ...credentials, scopes }, current.sealed)",
      "toGrant(parts, current, { ...credentials, scopes, fields: { ...credentials.fields, refresh_token: openFields(parts, leased)?.refresh_token } }, current.sealed)",
      refreshTests,
      "stores the new refresh token together with the new access token, with one entry in the trail",
    ],
    [
      "a connection ends only if no other node was faster",
      "const isStillLeased =\n          sealed?.generation === leased.sealed?.generation && holderOf(lease) === holderOf(leased.lease)",
      "const isStillLeased = sealed !== lease",
      refreshTests,
      "does not undo a consent given in the meantime, even when the provider ended the old grant",
    ],
  ),
  ...within("packages/accounts/src/vault/oauth/credentials.ts", [
    "a refresh token that is not renewed is kept",
    "(tokens.refreshToken ?? fields.refresh_token)",
    "tokens.refreshToken",
    "packages/accounts/test/vault/faults.test.ts",
    "no refresh token: the old one is kept",
  ]),
]
