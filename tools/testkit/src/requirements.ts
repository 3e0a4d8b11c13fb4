// The requirements, one behaviour per row. Tests cite rows through `verifies`; a guard fails for a row that no test
// cites, unless `gaps` says why there is no test yet.

import { approvalSections } from "./requirements-of-approvals.ts"
import { commandSections } from "./requirements-of-commands.ts"
import { emailSections } from "./requirements-of-email.ts"
import { mcpSections } from "./requirements-of-mcp.ts"
import { pageSections } from "./requirements-of-pages.ts"
import { slackSections } from "./requirements-of-slack.ts"
import { talkSections } from "./requirements-of-talk.ts"
import { webhookSections } from "./requirements-of-webhooks.ts"

export interface Requirement {
  readonly id: string
  readonly text: string
  /** Where the claim comes from. */
  readonly source: string
  readonly gap?: string
}

const sections = [
  {
    source: "MCP 2026-07-28, elicitation",
    claims: {
      "core.url-accept-is-not-completion":
        "Accepting a link means that the person agreed to open it, not that they finished.",
      "form.subset-is-mcp": "A form is a flat object of text, numbers, booleans and choices, in MCP's vocabulary.",
      "form.degrades-without-loss":
        "A form for an older client asks the same, or is refused with the field named; no field is dropped.",
      "answer.checked-against-form":
        "An answer that does not fit is refused with every violation, and the question stays open.",
      "answer.link-has-no-content": "A link is accepted without content.",
      "secret.refused-in-fields":
        "A form that asks for a secret in a name, title or description is refused and pointed to url mode.",
      "secret.allowed-by-name":
        "An author may exempt a field by its exact name, with a reason that is recorded in the trail; the rule itself cannot be disabled.",
      "secret.refused-in-message": "A form whose message asks the person for a secret is refused.",
      "url.https-or-loopback": "Addresses are https, or http on this machine.",
      "url.no-disguise": "An address that appears to name another host than the one that it leads to is refused.",
      "url.no-credentials":
        "An address that contains credentials or personal data, or signs its holder in, is refused.",
      "url.shows-host": "The host that will be contacted can be shown before the person goes there.",
      "terminal.text-cannot-forge": "Control characters in a question cannot change what the terminal shows.",
    },
  },
  {
    source: "MCP 2026-07-28, elicitation: rate limiting",
    claims: {
      "limit.per-person-and-tenant":
        "Open questions are limited per person and per tenant, across all processes; settling one frees its place.",
    },
  },
  {
    source: "design §2, vocabulary",
    claims: {
      "core.question-checked-when-asked": "An invalid question is refused when it is asked, with every problem listed.",
      "secret.ordinary-words-pass":
        "Words that only resemble secrets, and personal data that grants no access, are allowed.",
      "audience.one-several-or-role":
        "Only the audience can answer: one person, one of several people, or the holders of a role.",
      "audience.identity-is-three-parts":
        "Two principals are one person when tenant, issuer and subject are all equal.",
      "audience.one-tenant": "An audience never spans tenants.",
      "audience.account-has-one-owner":
        "A question about a person's account is addressed only to that person; one about a project's account may be addressed to a role.",
      "hub.growing":
        "A caller that asks for more widens the open question, until a person has begun; later needs are asked in a second question.",
      "hub.watch-by-audience": "A principal's watch shows only what that principal may answer.",
    },
  },
  {
    source: "design §3, the life of one elicitation",
    claims: {
      "core.detail-seen-before-yes":
        "A question whose message is shortened takes a Yes only from a place that showed all of it; every other place leads to its page.",
      "core.form-accept-completes": "A valid answer to a form completes it immediately, with its content.",
      "core.url-completes-after-accept": "A link can be completed or failed only after a person accepted it.",
      "core.decline-pending-or-accepted": "A person can decline a pending question, and also an accepted link.",
      "core.cancel-pending-or-accepted":
        "A person or the asker can cancel a pending question, and also an accepted link.",
      "core.expires-at-deadline": "A pending or accepted question expires at its deadline and not before.",
      "core.late-answer-refused":
        "An answer at or after the deadline is refused, even if no process has expired the question yet.",
      "core.settled-never-changes": "No step changes a settled elicitation.",
      "core.unlisted-step-refused":
        "A step that the table does not list is refused with its own code, and changes nothing.",
      "core.repeat-changes-nothing": "Repeating the same answer as the same person succeeds and changes nothing.",
      "core.second-answer-conflicts":
        "Any other second answer is a conflict, which says how the question ended, when, and who answered.",
      "core.opened-and-verified-once":
        "A link records when it was first opened and when the person was first verified.",
      "core.accept-moves-deadline": "Once a verified person has begun, the deadline is that of their flow.",
      "core.clock-set-back": "A clock that was set back never makes an end precede its beginning.",
      "core.six-outcomes": "The asker gets one of six outcomes, with content or a reason where there is one.",
      "audience.foreign-answer-refused":
        "An answer from outside the audience is refused, changes nothing and reveals nothing about the state.",
      "hub.ask-is-durable": "A question is durable when `ask` resolves.",
      "hub.answer-resumes-asker": "An answer resumes all callers that wait for it, with its content.",
      "hub.settles-once": "Exactly one of many concurrent answers settles the question, across all processes.",
      "hub.asker-steps": "The asker completes or fails an accepted link, and can cancel any open question.",
      "hub.unknown-id-refused": "Steps on an unknown id are refused, and waiting for one rejects.",
      "hub.wait-after-the-end": "Waiting for a settled question returns its outcome immediately.",
      "hub.expires-by-itself": "Questions expire without polling, through one timer for the nearest deadline.",
      "hub.sweeps-what-the-dead-left":
        "When a process dies, the others, or the next one to start, expire its questions.",
      "hub.abort-ends-form": "An aborted call ends its form question, unless other callers wait for it.",
      "hub.abort-spares-consent": "An aborted call never ends a consent that a person has begun.",
      "hub.abort-can-leave-open": "A caller can stop waiting and leave the question open.",
      "hub.watch-resumes":
        "A watch sees every step once and in order, from any revision or position, including steps of other processes.",
      "hub.close-leaves-questions": "Closing ends the waits of this process and leaves every question open.",
      "outlet.answers-at-its-hub": "An outlet that sends answers is created with its hub.",
      "outlet.shown-everywhere":
        "A question is shown in all outlets at the same time; a slow or failing outlet does not block the others.",
      "outlet.unsupported-when-none-can":
        "When every outlet is unable, or there is none, the question ends as unsupported.",
      "outlet.withdrawn-once":
        "Settling withdraws the prompt once from every outlet that showed it, even if it settles while being shown.",
      "page.what-follows":
        "After an answer the page says whether the program continues, will call again or is gone, and what it did with the answer.",
      "page.visit":
        "A foreign page is shown to the verified person with its full address, and opened only after their yes.",
      "page.visit-out-of-the-question":
        "The target comes from the question only, and the target page gets neither referrer nor opener.",
      "page.visit-confirmed-by-asker":
        "A visit stays accepted until the asker reports that it is done or failed, and the person's page follows.",
      "page.completion-token":
        "The holder of a question's completion token can complete or fail it; any other token finds nothing.",
      "limit.message-and-lifetime": "The message's length and the lifetime are bounded.",
      "terminal.declines-and-cancels": "The person at the terminal can decline, and leaving cancels.",
      "terminal.prints-without-terminal":
        "Without a terminal to type in, the question is printed with instructions to answer it elsewhere.",
      "terminal.withdraws": "A prompt whose question was answered elsewhere disappears, and says so.",
    },
  },
  {
    source: "design §5, deliveries",
    claims: {
      "delivery.with-the-question": "Deliveries to lasting outlets are stored with the question, in one durable step.",
      "delivery.any-process": "Any process that runs the outlet shows the question, whichever process asked it.",
      "delivery.one-at-a-time": "One process at a time carries out a delivery, and its message exists once.",
      "delivery.every-address": "Every known person of the audience is reached by their own delivery.",
      "delivery.due-later": "A delivery can be due later, and is dropped when the question has ended by then.",
      "delivery.retried": "A failed delivery is retried with growing delays, a limited number of times.",
      "delivery.survives-a-kill":
        "A process that is killed before or after posting or withdrawing leaves no question unseen and no message duplicated.",
      "delivery.withdrawn":
        "A settled question is withdrawn by its receipt, even by another process and after a restart.",
      "delivery.outlives-the-hub": "A hub that closes leaves the messages of lasting outlets in place.",
      "delivery.unable-when-all-are":
        "A question ends as unsupported, with the reasons, only when every outlet in every process is unable.",
      "directory.role-reaches-known-people":
        "A role resolves to all of its people who are known from sign-ins or the configuration, within its tenant.",
      "directory.verified-email-only":
        "An e-mail address is kept at sign-in only when the identity provider has verified it.",
      "directory.linked-accounts": "An active connection is an address of its owner.",
      "directory.people-are-forgotten":
        "The directory keeps what a person's last sign-in said, and deletes it 90 days later.",
    },
  },
  {
    source: "design §4, replay",
    claims: {
      "hub.key-asks-once":
        "The same question with the same key is asked once, even by concurrent callers and several processes.",
      "hub.key-conflict": "A key that names another question is refused.",
      "hub.key-reuse-when-open": "A key with reuse “open” is free again once its question is settled.",
    },
  },
  {
    source: "design §5, layers",
    claims: {
      "core.error-codes-have-meanings": "Every error code maps to HTTP, JSON-RPC and A2A, and says whether to retry.",
      "form.outside-subset-refused":
        "Everything outside the subset is refused, each violation with its path and what to write instead.",
      "form.takes-standard-schemas": "Schemas of libraries that support Standard JSON Schema become the same forms.",
      "form.bounded": "The number of fields and options, and the size of the whole, are bounded.",
      "form.knows-its-content":
        "The type of the content is inferred from the form, and a completed form always has content.",
      "answer.not-coerced": "Nothing in an answer is converted or filled in.",
      "answer.unknown-fields-refused": "Fields that the form does not have are refused, inherited names among them.",
      "answer.never-repeated": "No message repeats what the person wrote.",
      "answer.never-throws": "No answer makes validation throw or take more than linear time.",
      "terminal.asks-every-kind":
        "The terminal asks a form field by field, with every kind of field, and returns the person's answers.",
    },
  },
  {
    source: "design §6, storage and scale",
    claims: {
      "hub.crash-loses-nothing":
        "Everything acknowledged survives a crash of the process, and another process continues.",
      "trail.records-every-step":
        "Every change is in the trail with its actor, surface and time, committed with the change.",
      "trail.records-refusals":
        "Refused attempts are in the trail, including attempts by other people and on unknown ids.",
      "trail.holds-no-content": "The trail never holds the content of an answer.",
      "trail.complete-in-order": "Positions grow in commit order: once a position was read, no earlier one appears.",
      "store.compare-and-set": "A replacement succeeds only over the revision that it was made from.",
      "store.keeps-everything": "Values are read back exactly as stored, whatever characters they contain.",
      "store.lists-by-audience": "Lists contain what a principal may answer, oldest or newest first, page by page.",
      "store.due-in-order": "Overdue questions are listed soonest first, with the next deadline after them.",
      "store.batches-writes":
        "Writes of one turn of the event loop share a commit, and a failing one does not affect the others.",
      "store.wakes-processes": "A commit wakes the other processes within milliseconds, on SQLite and on Postgres.",
      "store.missed-wake-costs-latency": "A lost notification or connection costs time, never an answer.",
      "store.migrates-forward":
        "Migrations run once in order, even when several processes start together; a newer database is refused unchanged.",
      "store.refuses-foreign-files": "A file that is not a Holdpoint database is refused and left unchanged.",
      "retention.content-then-record":
        "An answer is deleted soon after it was read, or after a time limit if it is never read, and waiting for it is then an error; the question is deleted later.",
      "retention.yes-or-no-stays":
        "The yes or no of a confirmation is kept as long as the question, whatever happens to the rest of the answer.",
      "retention.spares-open-and-trail": "Open questions and the trail are never deleted.",
    },
  },
  {
    source: "design §7, §8 and the rules of connecting accounts",
    claims: {
      "seal.opens-in-its-place": "A sealed value opens only in its own place, unaltered, and with its own key.",
      "seal.tells-nothing": "A value that cannot be opened causes an error that reveals no secret.",
      "seal.old-format-opens": "Values sealed in the first format still open.",
      "seal.dump-is-worthless":
        "A copy of the database contains no readable or usable answer, token, key, code, verifier or cookie.",
      "seal.keys-are-private": "Keys come from a setting, or from a file that only its owner can read.",
      "seal.canary": "With keys that do not belong to the database nothing starts, and nothing is changed.",
      "seal.rotates-while-running":
        "Keys can be rotated while everything runs; a rotation can be stopped and resumed, and overwrites no concurrent change.",
      "seal.drops-no-used-key": "A key that still seals a record cannot be removed.",
      "connection.states":
        "A connection is pending, active, in need of consent or revoked; only the listed transitions exist, and none leaves revoked.",
      "connection.asked-once":
        "A need is met by an existing connection with enough scopes; otherwise its owner is asked, once for all callers.",
      "connection.no-query-when-connected":
        "For a connected account, finding the connection and its credentials makes no query to the store.",
      "connection.time-limits":
        "A call waits 30 s for its response to begin, unless the provider or the caller sets another limit.",
      "connection.mcp-server":
        "An account at a foreign MCP server is connected by the server's own metadata, and its tokens stay with the authorization server that issued them.",
      "connection.one-refresh":
        "An expired access token is refreshed by one request, whatever the number of callers, processes and machines.",
      "connection.lease-is-taken-over":
        "A refresh that a dead process left is taken over when its lease expires, and a late result is not written.",
      "connection.only-the-provider-ends-it":
        "Only the provider's own answer ends a grant; an unreadable answer changes nothing and is retried.",
      "connection.401-renews-once":
        "A 401 renews the credentials once and repeats the call once; a second 401 ends the connection, and its owner is asked again.",
      "connection.step-up":
        "Additional scopes are requested together with the old ones, and the old connection works until they are granted.",
      "connection.narrowed":
        "Where Holdpoint manages the scopes, the owner can remove single scopes, on every node and without a change at the provider.",
      "connection.asked-together":
        "Needs for one account that arrive before its owner has begun become one question for all of them, across processes.",
      "connection.says-why":
        "A question about a lost account says why it has to be connected again, and which account it was.",
      "connection.probe":
        "Where an account is refused without a 401, a second request finds the reason; an unavailable provider ends no connection.",
      "connection.other-account": "A different account than before is not used until its owner has confirmed it.",
      "connection.given-back-in-order":
        "Disconnecting stops use on every node, revokes the grant at the provider and deletes the stored credentials, in this order.",
      "connection.outbox": "A revocation is retried until the provider confirms it, by any of the processes.",
      "connection.app-password-rotates":
        "An old app password is replaced automatically, once, and is revoked in the end.",
      "connection.credentials-stay":
        "Credentials are sent only to the provider's own addresses, and never appear in a log.",
      "connection.of-a-project":
        "An account of a project is requested from its administrators, connected by one of them, and used by all who work in the project.",
      "provider.is-data":
        "A provider is configuration data; every mistake in it is reported at once, with the name that was probably meant.",
      "provider.presets":
        "Every preset works from the question to the account, a refreshed token and the end of the grant.",
      "provider.pkce":
        "A code is requested with PKCE S256, and an ID token with a nonce; a code of another attempt is not redeemed.",
      "provider.issuer-is-compared": "A response with another issuer, or without the promised one, is not redeemed.",
      "provider.pushed-and-for-one-resource":
        "Where the provider supports it, the request is pushed beforehand, and the token is for one resource only.",
      "provider.metadata-is-hostile":
        "Metadata is trusted only for its own issuer, and no address in it leads into the local network.",
      "provider.says-nothing-here":
        "No text of a provider is repeated: outcomes have Holdpoint's own names and messages.",
      "consent.from-link-to-call":
        "The flow leads from the link through sign-in, page and provider to the waiting call, which continues automatically.",
      "consent.begins-with-the-click":
        "State, verifier and cookie are created by the click of a verified person, and not before.",
      "consent.finished-by-who-began":
        "A response counts only for the person, the session and the browser that began the flow.",
      "consent.refused-ends-it":
        "A response with the wrong person, session or browser ends its flow and leaves no code in an address.",
      "consent.own-account":
        "Where people sign in, an account granted by login flow is shown to be the person's own, or it is refused.",
      "consent.login-flow-names-who-asks":
        "The page at Nextcloud names the server, the person and a code that our page shows too.",
      "consent.for-oneself": "A person cannot be asked to connect an account that would belong to another person.",
      "consent.one-address-each": "A code is redeemed only at the provider whose redirect address received it.",
      "consent.redeemed-once":
        "A response is redeemed once, however often it is replayed, and two clicks make one connection.",
      "consent.one-more-yes":
        "Where Holdpoint manages the scopes and the credentials work, more scopes are granted by one click, once, whatever crashes.",
      "consent.offers":
        "A first-time user may grant more than a call needs with the same click; what they leave out is not granted, and is not offered again.",
      "consent.as-shown": "A click grants what its page showed, and nothing that was requested since.",
      "consent.no-means-no":
        "A person who said No on our page has connected nothing, whatever the provider answers afterwards.",
      "consent.named-outcomes":
        "Every outcome reaches the waiting call by name, and allows another try until the deadline.",
      "consent.login-flow":
        "A login flow starts after the click, grants once, and is trusted only within its own server.",
      "consent.entered-key": "An entered key is tested before it is stored, and never shown again.",
      "consent.secrets-are-shredded":
        "The secrets of an attempt are deleted once they were used or the attempt has failed.",
      "consent.survives-a-crash":
        "The next process finishes a flow that a killed process left, or the person can try again; no grant is lost or duplicated.",
      "fetch.public-hosts-only":
        "Requests to addresses from others go only to public hosts, checked at every redirect, and connect only to the checked address.",
      "fetch.bounded": "The size of a response, even after decompression, and its total time are limited.",
      "fetch.redirects-carry-nothing": "A redirect to another origin carries neither credentials nor a body.",
      "identity.any-provider":
        "People sign in at any OpenID Connect provider; its ID token is verified, and gives a principal with tenant and roles.",
      "identity.sign-in-once": "A sign-in works once, and in the browser that began it.",
      "identity.sessions": "Every sign-in creates a new session, which is stored as a hash, expires, and stays ended.",
      "identity.tenants-apart":
        "People of another tenant see no question, connection or session, whatever their names are.",
      "identity.embedded":
        "The built-in identity provider serves this machine only, and says that it is not for production.",
      "identity.local":
        "In local mode opening a link claims nothing; the first press of its button does, and other browsers are refused.",
      "identity.local-agent":
        "Where the person can be shown an address that the asking program does not see, having a link is not enough to approve anything.",
      "identity.local-programs":
        "In local mode, programs send the key of a file that only the person can read. With it they begin things and approve nothing; without it every surface refuses them.",
    },
  },
  ...approvalSections,
  ...pageSections,
  ...slackSections,
  ...webhookSections,
  ...emailSections,
  ...mcpSections,
  {
    source: "docs/telemetry.md",
    claims: {
      "telemetry.once":
        "Each ask, settlement and refusal is counted once in the whole installation, by the process that made it.",
      "telemetry.spans":
        "The wait is one span with its real times, in the trace of the request that asked, whichever process settles it.",
      "telemetry.no-content":
        "Spans, metrics and log lines contain no message, no content, no address and no person, only a pseudonym.",
      "telemetry.never-in-the-way": "A failing observer changes no step, and the library runs without OpenTelemetry.",
      "telemetry.unauthorized": "Upstream calls that are answered with 401 are counted.",
    },
  },
  {
    source: "design, streams of agents",
    claims: {
      "stream.shape-is-kept":
        "Events of streams keep their shape: members and types are added, never changed or removed.",
      "stream.schema-lets-pass": "The published schema accepts events and members that it does not know.",
      "client.runs-in-browsers": "The client of the run API can be bundled for browsers without any other module.",
    },
  },
  {
    source: "docs/agents.md, who calls",
    claims: {
      "run.own-conversation": "Only the person who owns a conversation can read, stop, repeat or answer it.",
      "run.wrong-conversation": "An answer under the id of another conversation is refused and changes nothing.",
      "run.other-origin":
        "A page of a listed origin uses the API with a short-lived token of its person, without cookies.",
      "run.other-site":
        "The chat works on a page of another site that allows its script and requests to both servers, and renews its token.",
      "run.no-person": "A call with only an API key has no person and can answer nothing.",
      "run.events-whole":
        "One stream contains every chunk of the followed conversations and every step of questions once.",
      "run.timeline":
        "A reply's timeline contains every step once, names who called and asked, and never contains an answer.",
      "run.events-own":
        "The event stream contains only the person's own conversations and questions, and ends when they lose the right to read.",
    },
  },
  ...commandSections,
  ...talkSections,
] as const

type Claims = (typeof sections)[number]["claims"]
type KeysOfEach<T> = T extends unknown ? keyof T : never

export type RequirementId = KeysOfEach<Claims>

/** Untested requirements, with the reason. A row with a gap must not be cited. */
const gaps: Readonly<Partial<Record<RequirementId, string>>> = {}

export const requirements: readonly Requirement[] = sections.flatMap(({ source, claims }) =>
  Object.entries(claims).map(([id, text]) => {
    const gap = gaps[id as RequirementId]
    return { id, text, source, ...(gap === undefined ? {} : { gap }) }
  }),
)
