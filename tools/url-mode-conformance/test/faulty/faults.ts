// The faults. Each lists the checks that a server with this fault must fail, and it must fail no others.

import { randomUUID } from "node:crypto"
import type { Behaviour, Era, Json } from "@holdpoint/testkit/url-mode-conformance/faulty/behaviour"
import { declares, form, hash, honest } from "@holdpoint/testkit/url-mode-conformance/faulty/behaviour"

export interface Fault {
  readonly name: string
  readonly fault: Partial<Behaviour>
  readonly fails: readonly string[]
  /** The revisions in which the fault is visible. Default: the newest revision that has these checks. */
  readonly in?: readonly Era[]
}

const home = "http://127.0.0.1:4000"
const onModern = (era: Era, message: Json, change: (result: Json) => Json): Json =>
  era === "2026-07-28" && message.result !== undefined
    ? { ...message, result: change(message.result as Json) }
    : message

const addresses: readonly Fault[] = [
  {
    name: "sends people to a script",
    fault: { link: ({ id }) => `javascript:alert("${id}")` },
    fails: ["address-valid", "address-https"],
  },
  {
    name: "sends people to a plain http page elsewhere",
    fault: { link: ({ id }) => `http://mcp.example.com/visit/${id}` },
    fails: ["address-https"],
  },
  {
    name: "puts a password before the host",
    fault: { link: ({ id }) => `http://someone:secret@127.0.0.1:4000/visit/${id}` },
    fails: ["address-no-userinfo"],
  },
  {
    name: "puts the client's token into the link",
    fault: { link: ({ id }) => `${home}/visit/${id}?t=token-of-the-first` },
    fails: ["address-no-credentials", "wire-no-credentials"],
  },
  {
    name: "puts the person's mail address into the link",
    fault: { link: ({ id }) => `${home}/visit/${id}?for=ana%40example.com` },
    fails: ["address-no-personal-data"],
  },
  {
    name: "puts the session id into the link",
    fault: { link: ({ id, session }) => `${home}/visit/${id}?session=${session}` },
    fails: ["address-no-session"],
  },
  {
    name: "sends people straight to an authorization endpoint",
    fault: { link: ({ id }) => `${home}/visit/${id}?client_id=abc&response_type=code` },
    fails: ["address-own-page"],
  },
]

const shapes: readonly Fault[] = [
  {
    name: "sends elicitationId on 2026-07-28",
    fault: { urlParams: (params, era) => (era === "2026-07-28" ? { ...params, elicitationId: params.url } : params) },
    fails: ["url-params-modern", "wire-modern-no-ids"],
  },
  {
    name: "forgets elicitationId on 2025-11-25",
    fault: { urlParams: ({ elicitationId: _, ...params }) => params },
    fails: ["url-params-2025", "url-id"],
  },
  {
    name: "gives every question the same elicitationId",
    fault: {
      urlParams: (params) => ("elicitationId" in params ? { ...params, elicitationId: "same" } : params),
      completionId: () => "same",
    },
    fails: ["url-id", "identity-own-question"],
  },
  {
    name: "says nothing in its message",
    fault: { urlParams: (params) => ({ ...params, message: " " }) },
    fails: ["url-message"],
  },
  {
    name: "lists a form in -32042",
    fault: {
      urlWay: "error",
      errorEntries: (entry) => [entry, { message: "Your name?", requestedSchema: { type: "object", properties: {} } }],
    },
    fails: ["url-error"],
  },
  {
    name: "asks for a password by form",
    fault: { formParams: (params) => withField(params, { name: { type: "string", title: "Your password" } }) },
    fails: ["form-no-secrets"],
  },
  {
    name: "asks for an object within an object",
    fault: { formParams: (params) => withField(params, { name: { type: "string" }, more: { type: "object" } }) },
    fails: ["form-flat"],
  },
  {
    name: "demands a pattern",
    fault: { formParams: (params) => withField(params, { name: { type: "string", pattern: "^a" } }) },
    fails: ["form-keywords"],
  },
  {
    name: "hides a link in a form",
    fault: {
      formParams: (params) => withField(params, { name: { type: "string", description: "See https://a.example" } }),
    },
    fails: ["form-no-links"],
  },
  {
    name: "sends mode on 2025-06-18",
    fault: { formParams: (params) => ({ ...params, mode: "form" }) },
    fails: ["form-without-mode"],
  },
  {
    name: "offers titled choices on 2025-06-18",
    fault: {
      formParams: (params) => withField(params, { name: { type: "string", oneOf: [{ const: "a", title: "A" }] } }),
    },
    fails: ["form-old-vocabulary"],
  },
]

const flows: readonly Fault[] = [
  {
    name: "treats consent as completion",
    fault: { isFinished: ({ status }) => status === "accepted" || status === "done" },
    fails: ["flow-accept-is-consent"],
  },
  {
    name: "asks again at every retry",
    fault: { asksAgain: ({ status }) => status !== "done" },
    fails: ["flow-one-prompt", "capability-retry"],
  },
  {
    name: "holds a retry forever",
    fault: { holdMs: 3_600_000 },
    fails: ["flow-leg"],
  },
  {
    name: "asks again after a decline",
    fault: { refusalEnds: false },
    fails: ["answer-url-decline", "answer-url-cancel", "answer-form-decline", "answer-form-cancel"],
  },
  {
    name: "accepts any content of a form",
    fault: { checksContent: false },
    fails: ["answer-form-misfit"],
  },
  {
    name: "asks a client that declared nothing",
    fault: { canAsk: (mode, _, era) => mode === "form" || era !== "2025-06-18" },
    fails: [
      "capability-none",
      "capability-bare",
      "capability-form-only",
      "capability-url-only",
      "capability-per-request",
    ],
  },
  {
    name: "treats an empty capability as all modes",
    fault: { canAsk: (mode, capabilities) => declares(mode, capabilities) || isBare(capabilities) },
    fails: ["capability-bare", "wire-2025-06-18-no-url"],
  },
  {
    name: "applies earlier capabilities of a client on 2026-07-28",
    fault: {
      canAsk: (mode, capabilities, era, earlier) =>
        honest.canAsk(mode, capabilities, era, earlier) || (era === "2026-07-28" && declares(mode, earlier)),
    },
    fails: ["capability-none", "capability-bare", "capability-url-only", "capability-per-request"],
  },
  {
    name: "gives no explanation to a client that cannot be asked",
    fault: { cannotAskResult: () => ({ content: [] }) },
    in: ["2025-11-25", "2025-06-18"],
    fails: ["capability-none-answered"],
  },
]

const states: readonly Fault[] = [
  {
    name: "accepts state without a signature",
    fault: { checksSignature: false },
    fails: ["state-truncated"],
  },
  {
    name: "accepts state for other arguments and tools",
    fault: {
      opensState: (content, { owner, used, now }) => content.owner === hash(owner) && !used && now < content.expiresAt,
    },
    fails: ["state-other-arguments", "state-other-tool"],
  },
  {
    name: "accepts state from another person",
    fault: {
      opensState: (content, { call, used, now }) => content.call === hash(call) && !used && now < content.expiresAt,
    },
    fails: ["state-other-person"],
  },
  {
    name: "accepts the same state twice",
    fault: {
      opensState: (content, presented) => honest.opensState(content, { ...presented, used: false }),
      // Like a shop: each execution gets its own order number.
      greeting: (name) => `Hello, ${name}! Order ${randomUUID()}.`,
    },
    fails: ["replay-after-result", "replay-after-decline", "replay-no-second-effect"],
  },
  {
    name: "accepts state of any age",
    fault: { opensState: (content, presented) => honest.opensState(content, { ...presented, now: 0 }) },
    fails: ["state-expired"],
  },
  {
    name: "writes the person's name into state",
    fault: {
      ownerInState: (owner) => owner,
      opensState: (content, presented) => honest.opensState({ ...content, owner: hash(content.owner) }, presented),
    },
    fails: ["state-opaque"],
  },
]

const pages: readonly Fault[] = [
  {
    name: "lets any signed-in person finish a question",
    fault: { finishes: (_, { visitor, method }) => visitor !== undefined && method === "POST" },
    fails: ["link-forwarded", "link-named-person"],
  },
  {
    name: "trusts a name in the link",
    fault: {
      finishes: ({ owner }, { visitor, method, url }) =>
        method === "POST" && (visitor === owner || url.searchParams.get("user") === owner),
    },
    fails: ["link-named-person"],
  },
  {
    name: "finishes a question when its link is fetched",
    fault: { finishes: (question, visit) => visit.visitor === undefined || honest.finishes(question, visit) },
    fails: ["link-fetch"],
  },
  {
    name: "accepts a form from a stranger",
    fault: {
      finishes: ({ owner }, { visitor, method }) => method === "POST" && (visitor === owner || visitor === undefined),
      page: () => form,
    },
    fails: ["link-stranger"],
  },
  {
    name: "finds a question by half of its id",
    fault: {
      find: (questions, id) => [...questions.values()].find((question) => question.id.startsWith(id.slice(0, 8))),
    },
    fails: ["link-altered"],
  },
  {
    name: "shows a stranger whose question it is",
    fault: { page: (question) => `This is for ${question?.owner}.` },
    fails: ["link-signed-in"],
  },
]

const wires: readonly Fault[] = [
  {
    name: "sends a completion to every session",
    fault: { completionRecipients: (_, sessions) => sessions },
    fails: ["complete-initiator"],
  },
  {
    name: "sends a completion for another question",
    fault: { completionId: () => "another" },
    fails: ["complete-id", "complete-once"],
  },
  {
    name: "sends the completion at consent",
    fault: { completesOnAccept: true },
    fails: ["complete-not-before"],
  },
  {
    name: "sends resultType on the older wire",
    fault: {
      message: (message, era) => (era === "2026-07-28" ? message : withResult(message, { resultType: "complete" })),
    },
    fails: ["wire-older-no-modern-results"],
  },
  {
    name: "answers with -32042 on 2026-07-28",
    fault: {
      message: (message, era) =>
        era === "2026-07-28" && (message.error as Json | undefined)?.code === -32602
          ? { ...message, error: { code: -32042, message: "An account is needed." } }
          : message,
    },
    fails: ["wire-modern-no-32042"],
  },
  {
    name: "leaves resultType out on 2026-07-28",
    fault: {
      message: (message, era) =>
        onModern(era, message, ({ resultType, ...result }) =>
          resultType === "complete" ? result : { resultType, ...result },
        ),
    },
    fails: ["wire-modern-result-type"],
  },
  {
    name: "sends a request of its own on 2026-07-28",
    fault: { modernExtras: [{ jsonrpc: "2.0", id: "s-1", method: "elicitation/create", params: { mode: "url" } }] },
    fails: ["wire-modern-no-requests"],
  },
  {
    name: "keeps sessions on 2026-07-28",
    fault: { modernHeaders: { "mcp-session-id": "s-1" } },
    fails: ["wire-modern-no-session"],
  },
  {
    name: "sends a credential to the client",
    fault: { finalText: () => "The account is connected: ghp_0123456789abcdefghij0123" },
    fails: ["wire-no-credentials"],
  },
  {
    name: "accepts requests from foreign web pages",
    fault: { checksOrigin: false },
    fails: ["transport-origin"],
  },
  {
    name: "treats every client without credentials as the same person",
    fault: { checksCredentials: false },
    fails: ["identity-credentials"],
  },
  {
    name: "accepts a session id as a person's credential",
    fault: { callerOf: ({ owner }) => owner, mayAnswer: ({ session }, by) => session === by.session },
    fails: ["identity-foreign-session"],
  },
  {
    name: "accepts an answer from any person",
    fault: { mayAnswer: () => true },
    fails: ["identity-foreign-answer"],
  },
]

export const faults: readonly Fault[] = [...addresses, ...shapes, ...flows, ...states, ...pages, ...wires]

function withField(params: Json, properties: Json): Json {
  return { ...params, requestedSchema: { type: "object", properties, required: ["name"] } }
}

function withResult(message: Json, more: Json): Json {
  return message.result === undefined ? message : { ...message, result: { ...(message.result as Json), ...more } }
}

function isBare(capabilities: unknown): boolean {
  const { elicitation } = capabilities as { readonly elicitation?: Json }
  return elicitation !== undefined && Object.keys(elicitation).length === 0
}
