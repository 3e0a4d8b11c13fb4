// Checks of a consent: who the visitor is, where redirects lead, what pages show, and how an attempt can end.

import { type Mutation, within } from "./mutation.ts"

/** The mutation of a page that inserts text without escaping it. */
const unescaped: readonly [find: string, replace: string] = [
  "export const html = escapingHtml\n",
  `import { raw } from "hono/html"
export const html: typeof escapingHtml = (strings, ...values) =>
  escapingHtml(strings, ...values.map((value) => (typeof value === "string" ? raw(value) : value)))
`,
]

const isAddressed = "!isAddressed(current, event.by)) {"
const ownership = "findFailed(ownershipChecks) ?? findFailed(answerChecks)"

const ofStrangers: readonly Mutation[] = [
  ...within(
    "packages/hub/src/core/transition.ts",
    [
      "consent: the page after the button is only for the addressee",
      isAddressed,
      "false) {",
      "fixation",
      "does not open the pages behind the button either",
    ],
    [
      "consent: a stranger who signs in first sees nothing",
      isAddressed,
      "false) {",
      "fixation",
      "leads a visitor who is not signed in to the sign-in, and then to the generic page",
    ],
    [
      "consent: a key for another person",
      isAddressed,
      "false) {",
      "entered",
      "verifies the person like every other page: a key cannot be entered for another person",
    ],
    [
      "consent: a stranger cannot confirm another account",
      isAddressed,
      "false) {",
      "outcomes",
      "cannot be confirmed by another person",
    ],
    [
      "consent: only administrators are asked",
      isAddressed,
      "false) {",
      "tenants",
      "is requested only from administrators of its tenant",
    ],
  ),
  ...within(
    "packages/accounts/src/vault/consent/arrive.ts",
    [
      "consent: an answer that reached another browser",
      ownership,
      "findFailed(answerChecks)",
      "fixation",
      "does not become the attacker's when the attacker fetches the victim's callback",
    ],
    [
      "consent: a new sign-in in between",
      "=> session === visitor.session }",
      "=> true }",
      "fixation",
      "after a new sign-in, as the same person in the same browser, is not redeemed",
    ],
    [
      "consent: a made-up cookie",
      "isHashOf(browser(flow), flow.browser) }",
      "browser(flow) !== undefined }",
      "fixation",
      "with a made-up cookie of that name is not redeemed",
    ],
    [
      "consent: another administrator",
      ownership,
      "findFailed(answerChecks)",
      "tenants",
      "is connected by the administrator who began, and not by another one who returns with the callback",
    ],
  ),
  ...within(
    "packages/server/src/identity/sessions.ts",
    [
      "consent: sessions of another person",
      "(session) => isSamePerson(session.principal, principal)",
      "() => isSamePerson(principal, principal)",
      "tenants",
      "cannot end the owner's sessions",
    ],
    [
      "consent: a session that was ended",
      "end: async (token) => token !== undefined && remove(hashOf(token), () => true)",
      "end: async (token) => token !== undefined",
      "signing-in",
      "ends the session itself: its cookie no longer works",
    ],
    [
      "consent: a sign-out in between",
      "end: async (token) => token !== undefined && remove(hashOf(token), () => true)",
      "end: async (token) => token !== undefined",
      "fixation",
      "after signing out between the click and the answer is not redeemed",
    ],
  ),
  ...within("packages/server/src/identity/sign-in.ts", [
    "consent: the signed-in person stays",
    "if (!isHashOf(response.browser, signIn.browser))",
    "if (false)",
    "signing-in",
    "cannot change who is signed in",
  ]),
]

const ofPages: readonly Mutation[] = [
  ...within(
    "packages/server/src/web/html.ts",
    [
      "consent: hostile names of askers",
      ...unescaped,
      "scripts",
      "in the names of asker, client and message is text on every page",
    ],
    ["consent: hostile names of accounts", ...unescaped, "scripts", "in the name of the account is text"],
    ["consent: hostile names of people", ...unescaped, "scripts", "in the name of the person is text"],
    ["consent: hostile text", ...unescaped, "packages/server/test/web/escaping.test.ts", "shows hostile text as text"],
  ),
  ...within("packages/server/src/http/connect.ts", [
    "consent: older paths of the page",
    "id === null ? paths.account : pathTo(paths.connect, id)",
    "id === null ? paths.account : id",
    "posts",
    "through the older paths of the page stays on this server",
  ]),
  ...within(
    "packages/server/src/http/targets.ts",
    [
      "consent: return targets by id",
      "id === undefined ? undefined : site.returnTargets.get(id)",
      "id === undefined ? undefined : (site.returnTargets.get(id) ?? { href: id, name: id })",
      "posts",
      "through `return`, `returnTo` or `popup` with an address does nothing",
    ],
    [
      "consent: openers on the list",
      "id !== null && openers.has(id) ? id : undefined",
      "id !== null ? (openers as Map<string, string>).set(id, id) && id : undefined",
      "posts",
      "goes nowhere when the opener is not on the list",
    ],
  ),
  ...within("packages/server/src/web/frame.ts", [
    "consent: assets come from this server",
    'href="${pathTo(paths.asset, "holdpoint.css")}"',
    'href="https://cdn.example/holdpoint.css"',
    "posts",
    "loads nothing from another origin",
  ]),
  ...within("packages/server/src/http/request-checks.ts", [
    "consent: a host that a proxy names",
    'request.headers.get("host") ??',
    'request.headers.get("x-forwarded-host") ?? request.headers.get("host") ??',
    "posts",
    "in a forwarding header of a proxy is not used either",
  ]),
  ...within("packages/server/src/http/sign-in.ts", [
    "consent: text from an address is not shown",
    'signInWords(url.searchParams.get("problem"))',
    'url.searchParams.get("problem") ?? undefined',
    "scripts",
    "in any part of an address is not repeated on a page",
  ]),
  ...within("packages/server/src/http/request-checks.ts", [
    "consent: a post of another page on this machine",
    "if (!isOwnPost(request, site)) return refusePost()",
    "",
    "local",
    "a web page that makes a browser post is refused",
  ]),
  ...within("packages/server/src/http/routes.ts", [
    "consent: nothing happens by a GET",
    '{ method: "GET", path: paths.signOut, route: redirectTo(paths.account) }',
    '{ method: "GET", path: paths.signOut, route: signOut }',
    "posts",
    "cannot be a GET: opening an address starts, answers and ends nothing",
  ]),
  ...within("packages/server/src/web/connect.ts", [
    "consent: a field for a key",
    '{ name: "key", label: `Key for ${provider.name}`, type: "password" }',
    '{ name: "key", label: `Key for ${provider.name}`, type: "text" }',
    "entered",
    "has a password field that no browser remembers, and is sent only by POST",
  ]),
]

const ofEnds: readonly Mutation[] = [
  ...within("packages/hub/src/core/transition.ts", [
    "consent: a question is not done before a yes",
    'open: "pending",\n      accept: "accepted",',
    'open: "pending",\n      complete: "completed",\n      accept: "accepted",',
    "packages/server/test/http/hooks.test.ts",
    "cannot report completion before the person has accepted, and is told so",
  ]),
  ...within(
    "packages/accounts/src/vault/consent/own-account.ts",
    [
      "consent: another account of a login flow",
      '? "fine" : "ask"',
      '? "fine" : "fine"',
      "login-flow",
      "has to confirm the account where the administrator allows other accounts",
    ],
    [
      "consent: an account that two people have is reported",
      "if (isHeldElsewhere)\n    parts.report(",
      'if (isHeldElsewhere && provider.id === "")\n    parts.report(',
      "login-flow",
      "that another person holds is still connected by its owner, and the operator gets a report",
    ],
  ),
  ...within(
    "packages/accounts/src/vault/consent/flow-events.ts",
    [
      "consent: a refused answer uses up the state",
      'return { ...withoutSecrets(flow), status: "failed", reason: event.reason',
      'return { ...flow, status: "consented", reason: event.reason',
      "callback",
      "is used up by the first answer, even when that answer is refused",
    ],
    [
      "consent: secrets of a failed attempt",
      '{ ...withoutSecrets(flow), status: "failed"',
      '{ ...flow, status: "failed"',
      "dump",
      "are shredded when the attempt failed, too",
    ],
  ),
  ...within(
    "packages/accounts/src/vault/consent/flows.ts",
    [
      "consent: the first callback counts",
      'return !attempts.some(({ id, status }) => id !== flow.id && status !== "failed" && status !== "consented")',
      "return attempts.length > 0",
      "posts",
      "while the person is at the provider lets them start again, and the first callback counts",
    ],
    [
      "consent: a form that is sent twice connects once",
      'return !attempts.some(({ id, status }) => id !== flow.id && status !== "failed" && status !== "consented")',
      "return attempts.length > 0",
      "posts",
      "of the same form makes exactly one connection",
    ],
    [
      "consent: one of several callbacks counts",
      'return !attempts.some(({ id, status }) => id !== flow.id && status !== "failed" && status !== "consented")',
      "return attempts.length > 0",
      "callback",
      "of one person make one connection, whichever returns first",
    ],
    [
      "consent: a rejected account is revoked",
      "if (failedFlow !== undefined) await discard(parts, flow.connection)",
      "",
      "outcomes",
      "that the person rejects is revoked, and the first stays as it was",
    ],
  ),
  ...within("packages/accounts/src/oauth/authorization-answer.ts", [
    "consent: errors of another server",
    "if (iss !== null && !isIssuer(iss, issuer)) return refuse(reasons.wrongIssuer)",
    "",
    "callback",
    "is not needed for the issuer check: an error of another provider is not believed",
  ]),
  ...within("packages/accounts/src/oauth/authorization-answer.ts", [
    "consent: errors without iss",
    "if (iss === null && server.namesIssuer) return refuse(reasons.missingIssuer)",
    "",
    "packages/accounts/test/oauth/answer.test.ts",
    "without iss is refused if the provider promised one, even for an error",
  ]),
  ...within(
    "packages/accounts/src/vault/consent/due-flows.ts",
    [
      "consent: no answer is not a yes",
      'await failAndDiscard(parts, flow, { code: "other_account" })',
      `const confirmed = { type: "confirm", dueAt: now + parts.times.abandonedMs } as const
      await finish(parts, (await move(parts, flow, confirmed)) ?? flow)`,
      "outcomes",
      "is not confirmed when the person does not answer",
    ],
    [
      "consent: a No at the provider has a name",
      'const isDenied = reason.code === "access_denied"',
      "const isDenied = false",
      "outcomes",
      "at the provider reaches the waiting call as access_denied when no other try follows",
    ],
    [
      "consent: another try after a No",
      "const isLastAttempt = !attempts.some(",
      "const isLastAttempt = attempts.length > 0 || !attempts.some(",
      "outcomes",
      "at the provider allows another try before the deadline",
    ],
    [
      "consent: one failed poll does not keep the person waiting",
      "pollResult.retryAfterMs ?? pauseMs",
      "pollResult.retryAfterMs ?? pollTimeoutMs",
      "packages/accounts/test/vault/polling.test.ts",
      "is repeated at the usual pace, and finds access that was granted in the meantime",
    ],
  ),
  ...within("packages/server/src/http/connect.ts", [
    "consent: No on our page",
    'await site.hub.answer(elicitation.id, { by: guest.principal, action: "decline", via: "web" })',
    "",
    "outcomes",
    "on our page ends the waiting call as declined, and the page says so",
  ]),
  ...within("packages/accounts/src/oauth/exchange.ts", [
    "consent: errors of the exchange have names",
    "return refuse(isAboutClient(answer.error) ? reasons.clientRefused : toProviderReason(answer.error))",
    "return refuse(isAboutClient(answer.error) ? reasons.clientRefused : reasons.unintelligible)",
    "outcomes",
    "in the token exchange reaches the waiting call by its name",
  ]),
  ...within("packages/accounts/src/vault/consent/begin.ts", [
    "consent: a press on an outdated page begins nothing",
    "if (shownDigest !== undefined && shownDigest !== request.digest) return outdatedPage",
    "",
    "packages/accounts/test/vault/widen.test.ts",
    "on an outdated page begins nothing",
  ]),
  ...within("packages/accounts/src/vault/entered-credentials.ts", [
    "consent: a key that does not work is not stored",
    "if (isSuccess(test, answer.status)) return undefined",
    "return undefined",
    "entered",
    "tests the key before it is saved, and stores nothing of a key that does not work",
  ]),
]

export const consentMutations: readonly Mutation[] = [...ofStrangers, ...ofPages, ...ofEnds]
