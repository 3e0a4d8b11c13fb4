// The requirements on MCP servers: who calls them, how they ask clients of every revision, and how that is proven.

export const mcpSections = [
  {
    source: "MCP 2026-07-28, authorization: the resource server",
    claims: {
      "caller.token-for-this-server":
        "A call is made as the person named by an access token that a trusted issuer made for this server and that is valid now.",
      "caller.same-person": "A token gives the same principal as signing in: tenant, issuer, subject and roles.",
      "caller.keys-of-the-issuer":
        "Tokens are verified with the keys that the issuer publishes; an unknown key id causes one new lookup, not one per token.",
      "caller.introspection":
        "The result of an introspection is cached briefly, never beyond the token's expiry, and counts only for that issuer's tokens.",
      "caller.unavailable-is-no-refusal":
        "A token that cannot be checked because the issuer is unavailable is neither accepted nor refused; the caller is told so.",
      "caller.one-token-in-the-header": "A request carries one token, in the Authorization header, of limited size.",
      "caller.finds-the-way":
        "A client that knows only the server's address discovers the authorization server from the server's responses.",
      "caller.step-up":
        "Missing scopes are requested in one challenge that names all scopes of the operation; configured scopes include others.",
      "caller.checked-when-made":
        "A resource server whose configuration would trust too much, or could not work, is refused with every problem listed.",
    },
  },
  {
    source: "MCP 2026-07-28, authorization: the built-in authorization server",
    claims: {
      "authority.from-call-to-token":
        "A client that was refused discovers the authorization server, its person signs in and consents, and the call is made as that person.",
      "authority.known-by-document":
        "A client may be identified by the address of its metadata document, which is trusted only for its name and redirect addresses.",
      "authority.registration":
        "Dynamic registration works only where it is enabled, for public clients, with limits on number and lifetime.",
      "authority.used-once":
        "Codes and refresh tokens work once, on any number of nodes; a second use revokes everything issued from the first.",
      "authority.one-resource":
        "A token is valid for one server, with the scopes of that server that its person has granted.",
      "authority.revocation":
        "A client can revoke its tokens, and a person can withdraw a grant; a later consent restores neither.",
      "authority.consent-per-client":
        "A person consents per client, again when it wants more scopes or uses another redirect address, and sees which client it is.",
      "authority.browser-bound": "A request is shown, answered and redirected only in the browser that began it.",
      "authority.outlives-processes":
        "A restart loses no request, code, token or key, and any node can serve any step.",
      "authority.keys":
        "All nodes share the signing keys, which are published before they sign and kept while tokens signed with them are valid.",
      "authority.issuer-named": "Every response to a client names the issuer, and the metadata declares it.",
    },
  },
  {
    source: "design §4, an MCP server that asks",
    claims: {
      "mcp.one-handler": "One straight-line handler serves clients of every revision, with the official SDK.",
      "mcp.typed": "The results of `ask` have the types of the given schema, choices or effect.",
      "mcp.prompts": "Prompts and resources can ask like tools.",
      "mcp.refusal-is-caught": "A question without an answer throws a named exception that the author may catch.",
      "mcp.refusal-in-words":
        "An uncaught refusal tells the model what happened, what the user can do, and that calling again immediately is useless.",
      "mcp.asked-together":
        "Questions asked together share one round, one error or one text where the protocol allows it.",
      "mcp.answered-stays-answered": "When a handler runs again, earlier answers come from its journal.",
      "mcp.once": "An effect happens once per call, across all processes; an interrupted one is not repeated.",
      "mcp.same-arguments": "A request state that comes back with other arguments is refused.",
      "mcp.confirm-is-a-choice":
        "A confirmation is a choice between two named actions, in every revision; `true` and `false` are read as yes and no.",
      "mcp.no-is-kept": "A question that a person declined is not asked again in that call.",
      "mcp.no-stops-what-has-not-begun":
        "A No stops every effect that has not begun, wherever the No arrives and whatever was answered elsewhere before.",
      "mcp.no-aborts":
        "A No that comes after a Yes aborts the signal of the call, so that work outside of once can stop too.",
      "mcp.no-is-told-what-was-done":
        "A person whose No comes too late is told what had begun or was done by then, and when.",
      "mcp.same-way": "A handler that asks in another order, or asks something else under a key, fails with an error.",
      "mcp.connection":
        "An account that a call needs is asked for, used, and asked for again when its provider has ended the grant.",
    },
  },
  {
    source: "MCP 2026-07-28, requests that need input",
    claims: {
      "mcp.state-sealed":
        "The request state that a client carries is sealed, short, limited in time, and reveals nothing.",
      "mcp.state-of-one-call":
        "A request state is valid only for the person, client, method and arguments that it was issued for.",
      "mcp.state-used-once":
        "A request state works for one answered request, on any number of processes; afterwards it returns the same result for a while.",
      "mcp.one-prompt":
        "A link is shown once; until it is completed, retries are held and answered with a request state only.",
      "mcp.rounds":
        "A call never exceeds the rounds of the SDK's client: at the limit the result says how to continue, and the next call does.",
      "mcp.wires-apart": "Messages of one revision never contain the vocabulary of another.",
    },
  },
  {
    source: "MCP 2025-11-25, 2025-06-18 and the drafts, elicitation",
    claims: {
      "mcp.push-or-error":
        "Whether a link is a request or an error is decided by the question's option, the client's override, then the server's setting.",
      "mcp.all-links-in-the-error":
        "The error carries all links that are needed, and the call continues when it is made again.",
      "mcp.completion-to-initiator":
        "The completion of a link is announced once, to the session that was given the link and to no other.",
      "mcp.sessions-without-memory":
        "The capabilities that a client declared are sealed in its session id, so any process can serve it.",
      "mcp.session-has-an-owner": "A session id that is foreign, altered, expired or ended is treated as unknown.",
      "mcp.without-sessions":
        "Without sessions, a client that sends the session id back gets the error for links; any other client cannot be asked, unless the author says so.",
      "mcp.link-in-a-form":
        "A client that supports only forms gets a form with the address in its message and a checkbox, which is not trusted before the link is completed; or a text.",
      "mcp.oldest-forms": "Forms of 2025-06-18 have no mode.",
      "mcp.until-held":
        "The author may limit the wait for an accepted link to the hold time of one request; the question stays open after that.",
      "mcp.expired-link-renewed":
        "A client that was sent away with a link, and calls again after it expired, gets a new link from that call.",
      "mcp.own-page":
        "A link that no client can accept is completed when its page says so: the author's own page, or ours after the person's yes.",
      "mcp.track": "The drafts' `elicitation/track` is answered with progress, and with the result or an error.",
      "mcp.track-own-only": "`elicitation/track` refuses unknown ids and the ids of others in the same way.",
      "mcp.draft-code": "The error has the drafts' code only where the drafts are enabled.",
    },
  },
  {
    source: "MCP, elicitation: what a client declares, and what happens to a question",
    claims: {
      "mcp.words-for-the-rest":
        "A client that cannot be asked gets a result with the link and instructions, and can continue afterwards.",
      "mcp.page-or-none":
        "A server without pages, on which some clients could not be answered, is refused unless the author confirms that this is intended.",
      "mcp.one-prompt-for-all":
        "Concurrent calls of one client that wait for the same account show one prompt, and all continue after it.",
      "mcp.caller-now": "Handlers and factories can read the current caller and the client's capabilities.",
      "mcp.access-tools": "Only clients that cannot be asked get the tools to request access and to check its status.",
      "mcp.declared-modes":
        "No question is sent in a mode that a client did not declare; a bare declaration means forms only.",
      "mcp.overrides": "The operator may override a client's capabilities by its name.",
      "mcp.giving-up": "An abandoned call cancels its forms and leaves a consent open, which the next call finds.",
      "mcp.given-up-elsewhere":
        "A call that is cancelled through one process is stopped in another process that works on it.",
      "mcp.withdrawn":
        "A question that ended elsewhere is withdrawn from the client; late and repeated answers do no harm.",
      "mcp.who-was-asked": "An answer counts only in the session that was asked.",
      "mcp.close-answers":
        "A server that closes answers held calls with a text: the questions stay open, and the same call continues elsewhere.",
      "mcp.in-a-framework":
        "A server in a framework uses the parsed body and the verified caller of the framework, or checks API keys.",
      "mcp.other-generation": "A server of another SDK version is refused with a message that says what to do.",
      "mcp.late-headers":
        "A request sends no response header until it is answered, waits for a person or runs for long, so that a proxy may retry it elsewhere.",
      "mcp.resumed":
        "A 2025 client that lost the stream of a held call resumes it by Last-Event-ID, and gets the missed and the following events.",
      "mcp.heartbeat": "A held call that requested progress gets a heartbeat, from one timer for all calls.",
      "mcp.progress": "A held call that requested progress gets messages about what the person does.",
      "mcp.kept-alive": "A silent stream gets a keep-alive from time to time.",
      "mcp.progress-apart": "No client receives another client's progress, whatever tokens they chose.",
      "mcp.answers-checked":
        "An answer that does not fit is asked for again with the problem named, at most three times.",
    },
  },
  {
    source: "MCP, transports and security best practices",
    claims: {
      "mcp.unknown-callers": "Anonymous callers can be asked, cannot answer for each other, and have no accounts.",
      "mcp.rights-before-dispatch":
        "A request without the scopes that it needs reaches no handler, whatever its method.",
      "mcp.door":
        "Only known host names and listed web origins can call the endpoint; by default only those of this machine.",
      "mcp.body-limit":
        "The size of a message is limited; a longer one is refused with a message that names the limit, and the next one is served.",
      "mcp.own-server": "Each HTTP request gets its own server.",
    },
  },
  {
    source: "the client of other MCP servers",
    claims: {
      "mcp.client-who-asks":
        "The person sees which server asks, and the host of a link apart from the server's own text.",
      "mcp.client-floods-bounded":
        "A server's questions are bounded in one call; beyond the bound the call ends, and the model and the server learn why.",
      "mcp.client-survives": "A call to a 2026-07-28 server continues in another process, with each request sent once.",
      "mcp.client-unknown":
        "A call whose process died in the middle is repeated only where annotations allow it, and is otherwise reported as unknown.",
      "mcp.client-one-record": "A question of a server in the same process is one record, which the calling run joins.",
      "mcp.client-links-first": "A call that ends with links is made again after the visit, at most three times.",
      "mcp.client-human-time": "No time limit of a call runs while a person answers.",
    },
  },
  {
    source: "proof of the MCP surface",
    claims: {
      "mcp.official-suite": "The official conformance suite passes everything that it scores, for both revisions.",
      "mcp.url-suite":
        "At least 40 checks for url mode, each derived from a specification, pass on this server in every revision.",
      "mcp.url-suite-finds": "The checks fail on servers with deliberate faults, each at its fault.",
      "mcp.url-suite-command":
        "A command checks any server, and reports what was found and what was skipped, with the reason.",
      "mcp.matrix":
        "Every combination of client, transport, question and answer has an expected end and is tested, or says why it cannot exist.",
      "mcp.consent-story":
        "With a browser and the official client, a call returns its result when its person has connected, and only that person can connect.",
      "mcp.outlives-processes":
        "A killed server loses no call: another process continues it when the client comes back.",
      "mcp.undelivered":
        "A call whose result never reached its client is continued when it is made again, and repeats no effect; a delivered call is not continued.",
      "mcp.held-cheaply": "All held calls share one timer.",
    },
  },
] as const
