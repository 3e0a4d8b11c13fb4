// What Holdpoint claims, one behaviour a row. Tests cite rows through `verifies`; a guard fails for a row that nobody
// cites, unless `gaps` says why there is no test yet.

import { mcpSections } from "./requirements-of-mcp.ts"

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
      "form.subset-is-mcp": "A form is a flat object of text, numbers, yes or no, and choices, in MCP's words.",
      "form.degrades-without-loss":
        "A form for an older client asks the same or is refused by field; no field is dropped.",
      "answer.checked-against-form":
        "An answer that does not fit is refused with every violation, and the question stays open.",
      "answer.link-has-no-content": "A link is accepted without content.",
      "secret.refused-in-fields":
        "A form that asks for a secret in a name, title or description is refused and pointed to url mode.",
      "secret.allowed-by-name":
        "An author may allow a field by its exact name, with a reason that goes into the trail; never the rule as a whole.",
      "secret.refused-in-message": "A form whose message asks the person for a secret is refused.",
      "url.https-or-loopback": "Addresses are https, or http on this machine.",
      "url.no-disguise": "An address whose reader sees another host than the resolver is refused.",
      "url.no-credentials":
        "An address that carries credentials, or personal data, or signs its holder in, is refused.",
      "url.shows-host": "The host that will be looked up can be shown before the person goes there.",
      "terminal.text-cannot-forge": "Control characters in a question cannot change what the terminal shows.",
    },
  },
  {
    source: "MCP 2026-07-28, elicitation: rate limiting",
    claims: {
      "limit.per-person-and-tenant":
        "Open questions are limited for each person and each tenant, over all processes; settling frees the place.",
    },
  },
  {
    source: "design §2, vocabulary",
    claims: {
      "core.question-checked-when-asked":
        "A question that must not be asked is refused when it is written, with every problem listed.",
      "secret.ordinary-words-pass":
        "Words that only resemble secrets, and personal data that opens nothing, are let through.",
      "audience.one-several-or-role": "One person, one of several, or whoever holds a role can answer; nobody else.",
      "audience.identity-is-three-parts":
        "Two principals are one person when tenant, issuer and subject are all equal.",
      "audience.one-tenant": "An audience never spans tenants.",
      "audience.account-has-one-owner":
        "A question about a person's account is addressed to that person alone; a project's may be asked of a role.",
      "hub.growing":
        "A question that grows is made wider by whoever asks for more, until a person has begun; what comes then is asked beside it.",
      "hub.watch-by-audience": "A principal's watch shows what that principal may answer and nothing else.",
    },
  },
  {
    source: "design §3, the life of one elicitation",
    claims: {
      "core.form-accept-completes": "A valid answer to a form completes it at once, with its content.",
      "core.url-completes-after-accept": "A link is completed or failed only after somebody accepted it.",
      "core.decline-pending-or-accepted":
        "A person can decline while it is pending, and a link also once it is accepted.",
      "core.cancel-pending-or-accepted":
        "A person or the asker can cancel while it is pending, and a link also once it is accepted.",
      "core.expires-at-deadline": "It expires at its deadline and not before, pending or accepted.",
      "core.late-answer-refused":
        "An answer at or after the deadline is refused, whether or not anybody had expired it yet.",
      "core.settled-never-changes": "No step changes a settled elicitation.",
      "core.unlisted-step-refused":
        "A step that the table does not list is refused with its own code, and changes nothing.",
      "core.repeat-changes-nothing": "The same answer by the same person again is a success that changes nothing.",
      "core.second-answer-conflicts": "Any other second answer is a conflict that says how it ended, when and by whom.",
      "core.opened-and-verified-once":
        "A link records when it was first opened and when the person was first verified.",
      "core.accept-moves-deadline": "Once a verified person has begun, the deadline becomes the flow's own.",
      "core.clock-set-back": "A clock that was set back never makes an end precede its beginning.",
      "core.six-outcomes": "The asker gets one of six outcomes, with content or a reason where there is one.",
      "audience.foreign-answer-refused":
        "Somebody else's answer is refused, changes nothing and learns nothing of the state.",
      "hub.ask-is-durable": "A question is durable when `ask` resolves.",
      "hub.answer-resumes-asker": "An answer resumes everybody who waits for it, with its content.",
      "hub.settles-once": "Of many answers at once exactly one settles the question, over all processes.",
      "hub.asker-steps": "The asker completes or fails an accepted link, and can take any open question back.",
      "hub.unknown-id-refused": "Steps on an unknown id are refused, and waiting for one rejects.",
      "hub.wait-after-the-end": "Waiting for a settled question gives its outcome at once.",
      "hub.expires-by-itself": "Deadlines fire without polling, one timer for the nearest.",
      "hub.sweeps-what-the-dead-left":
        "Deadlines of a process that died are kept by the others, or by the next to start.",
      "hub.abort-ends-form": "A call that is aborted ends its form question, unless others wait for it.",
      "hub.abort-spares-consent": "A call that is aborted never ends a consent that a person has begun.",
      "hub.abort-can-leave-open": "A waiter can leave and let the question stay open.",
      "hub.watch-resumes":
        "A watcher sees every step once and in order, from any revision or position, also of other processes.",
      "hub.close-leaves-questions": "Closing ends the waits of this process and leaves every question open.",
      "outlet.answers-at-its-hub": "An outlet that answers is made with the hub at which it does.",
      "outlet.shown-everywhere": "A question is shown in all outlets at once; a slow or failing one hinders nobody.",
      "outlet.unsupported-when-none-can": "When every outlet is unable, or there is none, it ends as unsupported.",
      "outlet.withdrawn-once":
        "Settling withdraws the prompt once wherever it was shown, also when it settles while being shown.",
      "page.what-follows":
        "After an answer the page says whether the program goes on, comes again or is gone, and what it has done with it.",
      "page.visit":
        "A page of somebody else is shown to the verified person with its whole address, and opened only after their yes.",
      "page.visit-out-of-the-question":
        "Where it leads comes out of the question alone, and what is reached learns neither referrer nor opener.",
      "page.visit-confirmed-by-asker":
        "It is only accepted until whoever asked says that it is done or failed, and the person's page follows.",
      "page.completion-token":
        "Whoever was given a question's completion token can say that it is done or failed; any other token finds nothing.",
      "limit.message-and-lifetime": "The message's length and the lifetime are bounded.",
      "terminal.declines-and-cancels": "The person at the terminal can decline, and leaving cancels.",
      "terminal.prints-without-terminal":
        "Where nobody can type, the question is printed with how to answer it elsewhere.",
      "terminal.withdraws": "A prompt that was answered elsewhere disappears, and says so.",
    },
  },
  {
    source: "design §5, deliveries",
    claims: {
      "delivery.with-the-question": "What is owed to lasting outlets is stored with the question, in one durable step.",
      "delivery.any-process": "Any process that has the outlet shows it, whichever asked.",
      "delivery.one-at-a-time": "Of several processes one carries a delivery out, and a message is there once.",
      "delivery.every-address": "Every known person of the audience is reached, each by a delivery of their own.",
      "delivery.due-later": "A delivery can be due later, and is not carried out when the question has ended by then.",
      "delivery.retried": "A delivery that failed is tried again, longer after each time, and not for ever.",
      "delivery.survives-a-kill":
        "A process that is killed before or after posting or withdrawing leaves no question unseen, and no message twice.",
      "delivery.withdrawn":
        "A settled question is withdrawn with its receipt, also by another process and after a restart.",
      "delivery.outlives-the-hub": "A hub that closes leaves the messages of lasting outlets where they are.",
      "delivery.unable-when-all-are":
        "Only when every outlet, in whichever process, is unable, the question ends as unsupported, with their reasons.",
      "directory.role-reaches-known-people":
        "A role leads to all of its people who are known from sign-ins or the configuration, within its tenant.",
      "directory.verified-email-only":
        "An e-mail address is kept at sign-in only when the identity provider has verified it.",
      "directory.linked-accounts": "An active connection is an address of its owner.",
      "directory.people-are-forgotten":
        "What is known of a person is what the last sign-in said, and is forgotten 90 days after it.",
    },
  },
  {
    source: "design §4, replay",
    claims: {
      "hub.key-asks-once":
        "The same question with the same key is asked once, also by several at the same time and by several processes.",
      "hub.key-conflict": "A key that names another question is refused.",
      "hub.key-reuse-when-open": "A key that is meant for the open question only is free again once it is settled.",
    },
  },
  {
    source: "design §5, layers",
    claims: {
      "core.error-codes-have-meanings":
        "Every error code has its HTTP, JSON-RPC and A2A meaning and says whether to try again.",
      "form.outside-subset-refused":
        "Whatever lies outside the subset is refused, each violation with its place and what to write instead.",
      "form.takes-standard-schemas": "Schemas of libraries with Standard JSON Schema become the same forms.",
      "form.bounded": "The number of fields and options, and the size of the whole, are bounded.",
      "form.knows-its-content":
        "The type of the content follows from the form, and a completed form always has content.",
      "answer.not-coerced": "Nothing in an answer is converted or filled in.",
      "answer.unknown-fields-refused": "Fields that the form does not have are refused, inherited names among them.",
      "answer.never-repeated": "No message repeats what the person wrote.",
      "answer.never-throws": "No answer makes validation throw or take more than linear time.",
      "terminal.asks-every-kind":
        "A form is asked in a terminal field by field, every kind of field, and answered as the person said.",
    },
  },
  {
    source: "design §6, storage and scale",
    claims: {
      "hub.crash-loses-nothing":
        "What was acknowledged survives the sudden death of the process, and another one carries on.",
      "trail.records-every-step": "Every change is in the trail with who, where and when, committed with the change.",
      "trail.records-refusals": "Refused attempts are in the trail, foreign ones and those on unknown ids too.",
      "trail.holds-no-content": "The trail never holds the content of an answer.",
      "trail.complete-in-order":
        "Positions grow in the order of commits: once one was read, nothing before it appears.",
      "store.compare-and-set": "A replacement wins only over the revision it was made from.",
      "store.keeps-everything": "What is read back equals what was stored, whatever characters it holds.",
      "store.lists-by-audience": "Lists hold what a principal may answer, oldest or newest first, page by page.",
      "store.due-in-order": "What is overdue comes soonest first, with the next deadline after it.",
      "store.batches-writes":
        "Writes of one turn share a commit, and one that fails does not take its neighbours with it.",
      "store.wakes-processes": "A commit wakes the other processes within milliseconds, on SQLite and on Postgres.",
      "store.missed-wake-costs-latency": "A lost notification or connection costs time, never an answer.",
      "store.migrates-forward":
        "Migrations run once in order, also when several processes start together; a newer database is refused unchanged.",
      "store.refuses-foreign-files": "A file that is no database of ours is refused and left unchanged.",
      "retention.content-then-record":
        "Content goes soon after it was read, or when it is not read in time, and waiting for it is then an error; the record goes later.",
      "retention.spares-open-and-trail": "Open questions and the trail are never forgotten.",
    },
  },
  {
    source: "design §7, §8 and the rules of connecting accounts",
    claims: {
      "seal.opens-in-its-place": "What is sealed opens only where it belongs, unaltered, and with its own key.",
      "seal.tells-nothing": "What cannot be opened says so, and nothing that is secret.",
      "seal.old-format-opens": "What was sealed in the first format still opens.",
      "seal.dump-is-worthless":
        "A copy of the database holds no answer, token, key, code, verifier or cookie that could be read or used.",
      "seal.keys-are-private": "Keys are given by a setting, or are in a file that only its owner can read.",
      "seal.canary": "With other keys than those of the database nothing starts, and nothing is changed.",
      "seal.rotates-while-running":
        "Keys are changed while everything runs; it can be stopped, goes on, and undoes nothing of others.",
      "seal.drops-no-used-key": "A key that still seals something is not dropped.",
      "connection.states":
        "A connection is pending, active, in need of consent or revoked; only the listed steps lead on, and none back from revoked.",
      "connection.asked-once":
        "A need is met by a connection that is there and wide enough; else its owner is asked, once for all callers.",
      "connection.one-refresh":
        "An access that has ended is refreshed by one request, whatever the number of callers, processes and machines.",
      "connection.lease-is-taken-over":
        "A refresh that a dead process left is taken over after its lease, and what comes too late is not written.",
      "connection.only-the-provider-ends-it":
        "Only the provider's own word ends a grant; what nobody can read leaves it as it was, to be tried again.",
      "connection.401-renews-once":
        "A 401 renews the credentials once and repeats the call once; the second one ends the connection, and its owner is asked again.",
      "connection.step-up":
        "More rights are asked for together with the old ones, and the old connection goes on until they are there.",
      "connection.narrowed":
        "Where scopes are ours, their owner takes single ones away again, on every node and with nothing changed at the provider.",
      "connection.asked-together":
        "Needs of one account that come before its owner has begun become one question, across processes, for all of them.",
      "connection.says-why":
        "A question about an account that was lost says why it has to be allowed again, and which account it was.",
      "connection.probe":
        "Where an account is refused without a 401, another call finds out; a provider that is only away loses nobody.",
      "connection.other-account": "A different account than before is used for nothing until its owner has said so.",
      "connection.given-back-in-order":
        "Disconnecting stops use on every node, gives the grant back and shreds what was kept, in this order.",
      "connection.outbox":
        "What the provider has not agreed to is asked for until it has, by one of the processes, whoever began.",
      "connection.app-password-rotates":
        "An app password is replaced by itself when it is old, once, and is given back in the end.",
      "connection.credentials-stay":
        "Credentials go to the provider's own addresses and nowhere else, and say nothing in a log.",
      "connection.of-a-project":
        "What a project owns is asked of its administrators, connected by one of them, and used by whoever works in it.",
      "provider.is-data":
        "A provider is data; whatever is wrong with it is told at once, with the name that was probably meant.",
      "provider.presets":
        "Every known provider goes from the question to the account, a new token and the end of the grant.",
      "provider.pkce":
        "A code is asked for with PKCE S256, and an ID token with a nonce; what belongs to another attempt is not redeemed.",
      "provider.issuer-is-compared":
        "An answer that names another issuer, or none where one was promised, is not redeemed.",
      "provider.pushed-and-for-one-resource":
        "Where the provider takes it, the request is given to it beforehand, and the token is for one resource only.",
      "provider.metadata-is-hostile":
        "Metadata is believed about its own issuer only, and no address in it leads into our network.",
      "provider.says-nothing-here":
        "Nothing that a provider wrote is repeated: outcomes have names and words of our own.",
      "consent.from-link-to-call":
        "The way leads from the link over sign-in, page and provider to the waiting call, which goes on by itself.",
      "consent.begins-with-the-click":
        "State, verifier and cookie come into being with the click of a verified person, and not before.",
      "consent.finished-by-who-began":
        "An answer counts for the person, the session and the browser that began, and for nobody else.",
      "consent.refused-ends-it":
        "An answer that arrives with the wrong person, session or browser ends its flow and leaves no code in an address.",
      "consent.own-account":
        "Where people sign in, an account granted by login flow is the person's own, or they say on our page that it is.",
      "consent.login-flow-names-who-asks":
        "The page at Nextcloud names the server, the person and a code that stands on our page, too.",
      "consent.for-oneself": "Nobody can be asked to connect an account that would belong to somebody else.",
      "consent.one-address-each": "A code is redeemed only at the provider to whose address it came back.",
      "consent.redeemed-once":
        "An answer is redeemed once, whatever the number of replays, and two clicks make one connection.",
      "consent.one-more-yes":
        "Where scopes are ours and the credentials work, more of them are granted by one press, once, whatever crashes.",
      "consent.offers":
        "A newcomer may allow more than a call needs in the same press, or not; what they leave out is not granted, and is not offered again.",
      "consent.as-shown": "A press grants what its page showed and nothing that was asked for since.",
      "consent.no-means-no": "Who said No on our page has connected nothing, whatever the provider answers afterwards.",
      "consent.named-outcomes":
        "Every end reaches the waiting call by name, and leaves another try while the deadline lasts.",
      "consent.login-flow":
        "A login flow is started by us after the click, grants once, and is believed within its own server only.",
      "consent.entered-key": "An entered key is tried before it is kept, and never shown again.",
      "consent.secrets-are-shredded":
        "The secrets of an attempt are gone once they were used, or the attempt has failed.",
      "consent.survives-a-crash":
        "What a killed process left is finished by the next, or can be tried again; no grant is lost or doubled.",
      "fetch.public-hosts-only":
        "Requests to addresses that others supplied go to public hosts, judged at every hop, and to nothing but what was judged.",
      "fetch.bounded": "The size and the time of an answer are bounded, unpacked and to its end.",
      "fetch.redirects-carry-nothing": "A redirect takes neither credentials nor a body to another origin.",
      "identity.any-provider":
        "People sign in at any OpenID Connect provider; its word is checked, and makes a principal with tenant and roles.",
      "identity.sign-in-once": "A sign-in works once, and in the browser that began it.",
      "identity.sessions": "A session is new with every sign-in, kept as a hash, ends by itself, and stays ended.",
      "identity.tenants-apart":
        "People of another tenant see no question, connection or session, whatever they are called.",
      "identity.embedded":
        "The identity provider that comes along serves this machine only, and says that it is not for production.",
      "identity.local":
        "In local mode opening a link claims nothing; the first press of its button does, and other browsers are refused.",
      "identity.local-agent":
        "Where the person can be shown an address past the program that asks, a link alone approves nothing.",
      "page.older-names": "Addresses of older designs lead to the pages that took their place.",
      "page.one-refusal":
        "Whoever a link is not for gets one and the same page after the same work, whatever the reason; the rightful person is told the true one.",
      "page.headers":
        "Every answer forbids frames, referrers, keeping and foreign content, and its cookies are for this host and no script.",
      "page.own-posts": "Only posts from our own pages, with the token of the session, change anything.",
      "page.text-is-text": "Whatever others wrote is shown as text.",
      "page.without-scripts": "Everything can be done without JavaScript.",
      "page.keyboard": "Everything can be done with the keyboard alone.",
      "page.inbox-follows":
        "The inbox holds what a person may answer, is answered in place, and follows what happens elsewhere.",
      "page.account":
        "A person sees their connections, sessions and history on one page, and can end each of the first two there.",
      "page.popup":
        "A window tells how it went to the page that opened it if that is known, and no more than id and status.",
      "page.return-targets":
        "People are led back to places that are known by an id, never to an address out of a link.",
    },
  },
  ...mcpSections,
  {
    source: "design, three kinds of people",
    claims: {
      "command.ask-and-answer":
        "A shell can ask and get the answer as JSON; another can list, answer, decline and cancel.",
      "command.accounts": "The command asks for accounts, lists them without their secrets, and disconnects them.",
      "command.keys": "The command makes keys, changes them and tells how much each has sealed.",
      "command.exit-status": "The exit status is 0 when it is done, 1 when it failed or was refused, 2 for wrong use.",
      "command.explains-itself": "Unknown words get the nearest known one, and an old Node is told in a sentence.",
    },
  },
] as const

type Claims = (typeof sections)[number]["claims"]
type KeysOfEach<T> = T extends unknown ? keyof T : never

export type RequirementId = KeysOfEach<Claims>

/** Known to be untested, and why. A row with a gap must not be cited. */
const gaps: Readonly<Partial<Record<RequirementId, string>>> = {}

export const requirements: readonly Requirement[] = sections.flatMap(({ source, claims }) =>
  Object.entries(claims).map(([id, text]) => {
    const gap = gaps[id as RequirementId]
    return { id, text, source, ...(gap === undefined ? {} : { gap }) }
  }),
)
