// Checks of stored data: files, limits, commits, sealing, and the content of logs and dumps.

import { type Mutation, within } from "./mutation.ts"

const tests = "packages/holdpoint/test"
const memoryTests = `${tests}/stores/memory.test.ts`
const sqliteTests = `${tests}/stores/sqlite.db.test.ts`
const postgresTests = `${tests}/stores/postgres.db.test.ts`
const notifyTests = `${tests}/stores/notify.db.test.ts`
const sealTests = `${tests}/sealing/seal.test.ts`
const refreshTests = `${tests}/vault/refresh.test.ts`
const hubTests = `${tests}/hub/hub.test.ts`
const usualLimits = "are 20 open questions for each person and 10,000 for each tenant, unless said otherwise"
const thief = "does not let its thief in: what it knows of a session or a flow is not what the browser has"

export const storeMutations: readonly Mutation[] = [
  ...within("stores/postgres-procedure.ts", [
    "nothing follows from a single write that lost",
    'if (gives === "id") steps.push("IF NOT FOUND THEN RETURN NULL; END IF")',
    "",
    postgresTests,
    "returns false and changes nothing unless the stored revision is the one before",
  ]),
  ...within("stores/statements.ts", [
    "an insert that does not count compares with the limits",
    'insertIf(`${mostOpen} < ${integer("least_most")}`)',
    'insertIf("true")',
    sqliteTests,
    "keeps to the limit of a tenant when two processes far from it insert at the same time",
  ]),
  ...within(
    "stores/sqlite.ts",
    [
      "the database is private",
      "    if (isNew) chmodSync(path, 0o600)\n",
      "",
      sqliteTests,
      "makes files that only their owner can read, and a bell that does not grow",
    ],
    [
      "the bell is private",
      "constants.O_CREAT, 0o600)",
      "constants.O_CREAT, 0o644)",
      sqliteTests,
      "makes files that only their owner can read, and a bell that does not grow",
    ],
    [
      "durable when it is acknowledged",
      "end.run()\n          bell.ring()",
      'connection.exec("ROLLBACK")\n          bell.ring()',
      sqliteTests,
      "keeps a form across restarts between asking, answering and reading",
    ],
    [
      "nothing follows from a write that lost",
      "      if (stamp !== null && lostStamps.has(stamp)) continue\n",
      "",
      sqliteTests,
      "returns false and changes nothing unless the stored revision is the one before",
    ],
    [
      "the bell rings for commits while it rests",
      "    if (isRingDue) bell.ring()\n",
      "",
      notifyTests,
      "sqlite: another storage hears the last of many commits without a pause",
    ],
    [
      "the bell rings before it is closed",
      "      if (isRingDue) writeBell()\n",
      "",
      notifyTests,
      "sqlite: another storage hears what was committed just before its writer closed",
    ],
  ),
  ...within("stores/postgres-database.ts", [
    "who listens is notified",
    "SELECT pg_advisory_lock_shared(",
    "SELECT format('', ",
    notifyTests,
    "postgres: a commit notifies while another storage is open, and only then",
  ]),
  ...within("sealing/key-file.ts", [
    "the keys are private",
    "constants.O_WRONLY | flag, 0o600)",
    "constants.O_WRONLY | flag, 0o644)",
    `${tests}/sealing/key-file.test.ts`,
    "is made beside the database, for its owner alone, with advice for production",
  ]),
  ...within(
    "stores/memory.ts",
    [
      "one answer, in memory",
      "if (current === undefined || current.revision !== next.revision - 1) return false",
      "if (current === undefined) return false",
      memoryTests,
      "lets exactly one of 20 concurrent answers win when they come through two openings",
    ],
    [
      "questions to one person, in memory",
      'if (isFullFor(first, limits.perPerson)) return { stored: false, full: "person" }',
      "",
      memoryTests,
      "stores exactly 20 of 50 concurrent questions to one person, through two openings",
    ],
  ),
  ...within("stores/statements.ts", [
    "one answer, in SQL",
    "AND elicitation.revision = ",
    "AND 0 <= ",
    sqliteTests,
    "lets exactly one of 20 concurrent answers win when they come through two openings",
  ]),
  ...within("stores/writes.ts", [
    "questions to one person in one commit",
    "personAhead: Math.max(0, ...ahead)",
    "personAhead: 0",
    postgresTests,
    "stores exactly 20 of 50 concurrent questions to one person, through two openings",
  ]),
  ...within("stores/rows.ts", [
    "questions to one person, in SQL",
    "person_most: insertLimits.limits.perPerson,",
    "person_most: 1_000_000,",
    sqliteTests,
    "stores exactly 20 of 50 concurrent questions to one person, through two openings",
  ]),
  ...within(
    "core/limits.ts",
    ["20 for each person", "pendingPerPerson: 20,", "pendingPerPerson: 2_000,", hubTests, usualLimits],
    ["10,000 for each tenant", "pendingPerTenant: 10_000,", "pendingPerTenant: 100_000,", hubTests, usualLimits],
  ),
  ...within("stores/sql-store.ts", [
    "text is bound",
    "return { text: sql.listAddressee(listing), values:",
    'return { text: sql.listAddressee(listing).replaceAll("$5", () => ["", JSON.stringify(keys), ""].join("\'")), values:',
    sqliteTests,
    "returns text of any script in every text field of a question",
  ]),
  ...within("stores/postgres.ts", [
    "the name of a schema",
    "if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) {",
    "if (false) {",
    `${tests}/stores/postgres.test.ts`,
    "refuses a schema whose name is not a plain identifier",
  ]),
  ...within("hub/deliveries/delivery-queue.ts", [
    "messages go after a restart",
    "        await Promise.all(page.map(endSettled))\n        after = page.at(-1)",
    "        after = page.at(-1)",
    `${tests}/deliveries/processes.db.test.ts`,
    "withdraw after a restart what was answered in the meantime",
  ]),
  ...within(
    "sealing/cipher.ts",
    [
      "places that join to the same text",
      "Buffer.from(JSON.stringify([format, ...binding]))",
      'Buffer.from([format, ...binding].join(""))',
      sealTests,
      "opens at no other place, even where the parts only join to the same text",
    ],
    [
      "one way to write a sealed text",
      ' || bytes.toString("base64url") !== written) return undefined',
      ") return undefined",
      sealTests,
      "opens nothing of which any character was altered",
    ],
  ),
  ...within("sealing/sealed-storage.ts", [
    "answers are sealed when they come",
    "store.replace(await closed(next), entry)",
    "store.replace(next, entry)",
    `${tests}/sealing/sealed-storage.test.ts`,
    "leaves nothing to read in a dump of the database: neither answers nor tokens",
  ]),
  ...within(
    "fetching/guarded-fetch.ts",
    [
      "an answer without end",
      "if (received > maxBytes) throw tooLarge(maxBytes)",
      "",
      `${tests}/fetching/guarded-fetch.test.ts`,
      "cut off a body that does not say how large it is",
    ],
    [
      "a server that says nothing",
      "    Math.min(timeoutMs, longestMs),",
      "    2 ** 30,",
      `${tests}/fetching/guarded-fetch.test.ts`,
      "give up on a server that says nothing, and on one that never ends",
    ],
  ),
  ...within("sealing/canary.ts", [
    "the canary is opened",
    "  assertCanaryOpens(sealer, canary)\n  if (canary.sealed.keyId",
    "  if (canary.sealed.keyId",
    `${tests}/sealing/canary.test.ts`,
    "saying what to do, and changes nothing",
  ]),
  ...within("stores/memory-records.ts", [
    "rewrapping overwrites nothing",
    "if (records?.get(record.id)?.version !== record.version - 1) return false",
    "if (records === undefined) return false",
    `${tests}/sealing/rewrap.test.ts`,
    "takes back nothing that was written after it was read, and rewraps that too",
  ]),
  ...within("sealing/rewrap.ts", [
    "what was sealed meanwhile is rewrapped, too",
    "if (readable === 0) break",
    "break",
    `${tests}/sealing/rewrap.test.ts`,
    "takes back nothing that was written after it was read, and rewraps that too",
  ]),
  ...within("sealing/seal.ts", [
    "the newest key seals",
    "sealed.keyId === refreshed().current ?",
    'sealed.keyId !== "" ?',
    `${tests}/sealing/rewrap.test.ts`,
    "keys swapped under load: 50 writers lose nothing, and the old key may go",
  ]),
  ...within("sealing/hash.ts", [
    "what is recognised is hashed",
    'return createHash("sha256").update(token).digest("base64url")',
    "return createHash === undefined ? '' : token",
    "dump",
    "is worthless: none of the secrets is in it, in any spelling",
  ]),
  ...within("identity/sessions.ts", [
    "what is kept of a session is not its cookie",
    "token === undefined ? undefined : await records.get(hashOf(token))",
    "token === undefined ? undefined : ((await records.get(token)) ?? (await records.get(hashOf(token))))",
    "dump",
    thief,
  ]),
  ...within("vault/consent/arrive.ts", [
    "what is kept of a flow is not its state",
    "const flow = await parts.storage.records(flowKind).get(",
    "const flow = (await parts.storage.records(flowKind).get(String(state))) ?? await parts.storage.records(flowKind).get(",
    "dump",
    thief,
  ]),
  ...within("vault/consent/begin.ts", [
    "no state in the trail",
    'via: "web",\n    expiresAt: flow.expiresAt,',
    "via: state,\n    expiresAt: flow.expiresAt,",
    "dump",
    "in the trail holds no secret",
  ]),
  ...within("http/arrive.ts", [
    "no code in a redirect",
    "return toRedirect(pathTo(paths.connect, elicitation), { cookies })",
    "return toRedirect(pathTo(paths.connect, elicitation) + url.search, { cookies })",
    "dump",
    "in pages, redirects and reports holds no secret",
  ]),
  ...within(
    "vault/credentials.ts",
    [
      "credentials in JSON",
      "toJSON: redacted, ",
      "",
      "dump",
      "when credentials are logged by mistake does not contain them",
    ],
    [
      "credentials on a console",
      ", [inspect.custom]: redacted",
      "",
      "dump",
      "when credentials are logged by mistake does not contain them",
    ],
  ),
  ...within(
    "vault/refresh.ts",
    [
      "new tokens in one step",
      "toGrant(parts, current, { ...credentials, scopes }, current.sealed)",
      "toGrant(parts, current, { ...credentials, scopes, fields: { ...credentials.fields, refresh_token: openFields(parts, leased)?.refresh_token } }, current.sealed)",
      refreshTests,
      "keeps the new refresh token together with the new access token, and tells of it once",
    ],
    [
      "ended only if no other node was faster",
      "const isSame = sealed?.generation === leased.sealed?.generation && holderOf(lease) === holderOf(leased.lease)",
      "const isSame = sealed !== lease",
      refreshTests,
      "does not undo a consent that was given meanwhile, whatever the provider says of the old grant",
    ],
  ),
  ...within("vault/oauth/credentials.ts", [
    "a refresh token that is not renewed",
    "(tokens.refreshToken ?? fields.refresh_token)",
    "tokens.refreshToken",
    `${tests}/vault/faults.test.ts`,
    "no refresh token: the old one is kept",
  ]),
]
