// Checks of questions: who may answer them, that they end once, what they may say, and what is kept of the answers.

import { type Mutation, within } from "./mutation.ts"

const tests = "packages/holdpoint/test"
const transitionTests = `${tests}/core/transition.test.ts`
const questionTests = `${tests}/core/question.test.ts`
const compileTests = `${tests}/core/compile.test.ts`
const validateTests = `${tests}/core/validate.test.ts`
const directoryTests = `${tests}/deliveries/directory.test.ts`
const memoryTests = `${tests}/stores/memory.test.ts`
const trailTests = `${tests}/hub/trail.test.ts`

export const questionMutations: readonly Mutation[] = [
  ...within(
    "core/transition.ts",
    [
      "a stranger hears nothing of the state",
      'const foreign = code === "not_addressee"',
      "const foreign = false",
      transitionTests,
      "is not addressed is refused and learns nothing of the state",
    ],
    [
      "a click of somebody else",
      'if ("by" in event && event.by !== undefined && !canAnswer(current, event.by)) {',
      "if (false) {",
      `${tests}/deliveries/chat/chat.db.test.ts`,
      "takes no click of somebody else, and no forged one",
    ],
    [
      "the loser is told by whom",
      "...(current.answeredBy === undefined ? {} : { by: current.answeredBy }),",
      "",
      transitionTests,
      "that differs is told how it ended, when and by whom",
    ],
    [
      "a settled question stays settled",
      'if (isSettled(current.status)) return refuse(current, "already_settled", endedWords(current.status))',
      "",
      transitionTests,
      "that differs is told how it ended, when and by whom",
    ],
    [
      "a replay changes nothing",
      "if (isRepeat(current, event)) return { ok: true, changed: false, next: current }",
      "",
      transitionTests,
      "that is the same, by the same person, is a success that changes nothing",
    ],
    [
      "the deadline, swept or not",
      'if (now >= current.expiresAt) return refuse(current, "expired", "The deadline for this question has passed.")',
      "",
      memoryTests,
      "refuses an answer exactly at the deadline as late and settles the question as expired",
    ],
    [
      "an end never precedes its beginning",
      "Math.max(now, current.createdAt)",
      "now",
      transitionTests,
      "never puts an end before its beginning when the clock was set back",
    ],
    [
      "a consent in progress outlives its caller",
      'const begun = current.status === "accepted" || current.openedAt !== undefined',
      "const begun = false",
      `${tests}/hub/abort.test.ts`,
      "never ends a consent that a person has begun",
    ],
    [
      "a link has no content",
      "if (event.content !== undefined) {",
      "if (false) {",
      transitionTests,
      "a link with content is refused",
    ],
  ),
  ...within(
    "core/principal.ts",
    [
      "names are kept apart",
      "JSON.stringify([issuer, subject])",
      '[issuer, subject].join(`","`)',
      memoryTests,
      "does not mix up people whose issuer and subject only look alike when joined",
    ],
    [
      "a role that somebody had",
      "return audience.tenant === principal.tenant && (principal.roles ?? []).includes(audience.role)",
      "return audience.tenant === principal.tenant",
      directoryTests,
      "shows a question by the roles of the last sign-in, and takes answers by those of today alone",
    ],
    [
      "roles are not stored",
      "return { tenant, issuer, subject }\n",
      "return arguments[0]\n",
      questionTests,
      "does not store the roles that a person happened to have",
    ],
  ),
  ...within(
    "core/question.ts",
    [
      "one tenant",
      "if (new Set(people.map((person) => person.tenant)).size > 1) {",
      "if (false) {",
      questionTests,
      "never spans tenants",
    ],
    [
      "one owner of an account",
      'if (context.trigger === "credential_required" && resolved.kind !== "one" && !isProjects) {',
      "if (false) {",
      questionTests,
      "about a person's account is addressed to that person alone",
    ],
    [
      "a form is judged when it is asked",
      'if (problems.length > 0) throw invalid("secret_in_form", "A form must not ask for secrets", problems)',
      "",
      questionTests,
      "that asks for a secret is pointed to url mode",
    ],
    [
      "an address is judged when it is asked",
      "  assertCarriesNothing([url, context.address], made.secrets)\n",
      "",
      questionTests,
      "whose address carries a credential or personal data is refused",
    ],
    [
      "a lifetime has limits",
      "if (Number.isInteger(lifetimeMs) && lifetimeMs >= limits.minLifetimeMs && lifetimeMs <= limits.maxLifetimeMs)",
      "if (true)",
      questionTests,
      "may live from one second to seven days and be 4,000 characters long",
    ],
  ),
  ...within("core/text.ts", [
    "a message has a length",
    "if (text.length > maxLength && countCharacters(text) > maxLength)",
    "if (false)",
    questionTests,
    "may live from one second to seven days and be 4,000 characters long",
  ]),
  ...within("hub/watch.ts", [
    "a watch is of one's own",
    "return audience !== undefined && canAnswer({ audience }, scope.principal)",
    "return audience !== undefined",
    `${tests}/hub/watch.test.ts`,
    "shows a principal what that principal may answer and nothing else",
  ]),
  ...within("hub/alarm.ts", [
    "deadlines that were not due yet fire later",
    "if (next !== undefined) armAt(Math.max(next, runtime.now() + coalesceMs))",
    "",
    `${tests}/hub/hub.test.ts`,
    "are kept when the clock is set back",
  ]),
  ...within(
    "hub/entries.ts",
    [
      "no content in the trail",
      "const detail = { audience: next.audience, ...by,",
      "const detail = { content: next.content, audience: next.audience, ...by,",
      trailTests,
      "never holds the content of an answer, given or refused",
    ],
    [
      "no refused content in the trail",
      'path === "" || fields.includes(path)',
      "path !== undefined",
      trailTests,
      "never holds the content of an answer, given or refused",
    ],
  ),
  ...within(
    "hub/housekeeping.ts",
    [
      "content goes when it was read",
      "contentReadBefore: now - times.contentAfterReadMs,",
      "contentReadBefore: 0,",
      trailTests,
      "drops content soon after it was read, or after a day, and the record after 30 days",
    ],
    [
      "content goes after a day",
      "contentSettledBefore: now - times.contentMs,",
      "contentSettledBefore: 0,",
      trailTests,
      "drops content soon after it was read, or after a day, and the record after 30 days",
    ],
    [
      "questions go after 30 days",
      "questionSettledBefore: now - times.recordMs,",
      "questionSettledBefore: 0,",
      trailTests,
      "drops content soon after it was read, or after a day, and the record after 30 days",
    ],
  ),
  ...within(
    "core/validate.ts",
    [
      "nothing is filled in",
      "given.has(name) ? [[name, given.get(name)] as const] : [],",
      "[[name, given.get(name) ?? form.properties[name]?.default] as const],",
      validateTests,
      "does not fill in defaults",
    ],
    [
      "inherited names in answers",
      "Object.hasOwn(form.properties, name) ? []",
      "name in form.properties ? []",
      validateTests,
      "does not take names that objects inherit for fields",
    ],
    [
      "the number of values",
      "if (entries.length > formLimits.fields) {",
      "if (false) {",
      validateTests,
      "before it looks at any field",
    ],
    [
      "the length of a list",
      "if (entries.some(([, value]) => Array.isArray(value) && value.length > formLimits.options)) return tooLarge",
      "",
      validateTests,
      "before it looks at any field",
    ],
    [
      "the size of an answer",
      "return countBytes(json) > formLimits.bytes ? tooLarge : undefined",
      "return undefined",
      validateTests,
      "before it looks at any field",
    ],
  ),
  ...within("core/value.ts", [
    "no value in a complaint",
    "return options.includes(value) ? [] : [`must",
    "return options.includes(value) ? [] : [value + ` must",
    validateTests,
    "never repeats a value in a message",
  ]),
  ...within("core/format.ts", [
    "linear time",
    'const at = value.lastIndexOf("@")',
    'const at = /[a-z.-]+!/.test(value) ? -1 : value.lastIndexOf("@")',
    validateTests,
    "refuses hostile text of 60,000 characters without getting lost in it",
  ]),
  ...within(
    "core/compile.ts",
    [
      "inherited names in forms",
      'return !["__proto__", "constructor", "prototype"].includes(name)',
      "return true",
      compileTests,
      "and pollutes nothing",
    ],
    [
      "the number of fields",
      "if (names.length > formLimits.fields) {",
      "if (false) {",
      compileTests,
      "refuses a form with",
    ],
    [
      "the size of a form",
      "  if (countBytes(JSON.stringify(form)) > formLimits.bytes)",
      "  if (false)",
      compileTests,
      "refuses a form with",
    ],
  ),
  ...within("core/choice.ts", [
    "the number of options",
    "if (values.length > formLimits.options) {",
    "if (false) {",
    compileTests,
    "and says what to write instead",
  ]),
  ...within(
    "identity/claims.ts",
    [
      "verified addresses only",
      'const isUsable = isVerified === true && typeof email === "string"',
      'const isUsable = typeof email === "string"',
      directoryTests,
      "takes an address only when the provider has verified it",
    ],
    [
      "addresses that are one address",
      "/^[^\\s@<>]+@[^\\s@<>]+$/.test(email)",
      "true",
      directoryTests,
      "takes an address only when the provider has verified it",
    ],
  ),
  ...within("vault/linked.ts", [
    "accounts that are connected now",
    'connection.provider === provider && connection.status === "active"',
    "connection.provider === provider",
    directoryTests,
    "knows people by the accounts that they have connected",
  ]),
  ...within(
    "identity/people.ts",
    [
      "the last sign-in counts",
      "return !isSame || next.seenAt - known.seenAt >= seenEveryMs",
      "return next.seenAt - known.seenAt >= seenEveryMs",
      directoryTests,
      "follows the last sign-in, and forgets after 90 days",
    ],
    [
      "forgotten after 90 days",
      "runtime.now() < seenAt + keptMs",
      "seenAt > 0",
      directoryTests,
      "follows the last sign-in, and forgets after 90 days",
    ],
  ),
]
