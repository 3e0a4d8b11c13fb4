// What Holdpoint claims of MCP servers: who calls them, how they ask clients of every generation, and what proves it.

export const mcpSections = [
  {
    source: "MCP 2026-07-28, authorization: the resource server",
    claims: {
      "caller.token-for-this-server":
        "A call counts for whom a token names that a trusted issuer made for this server, for now, and as an access token.",
      "caller.same-person": "A token makes the same principal as signing in would: tenant, issuer, subject and roles.",
      "caller.keys-of-the-issuer":
        "Keys are those that the issuer publishes; unknown names make us look again once, not again and again.",
      "caller.introspection":
        "An issuer that is asked about its tokens is believed for a moment, never beyond expiry, and about its own only.",
      "caller.unavailable-is-no-refusal":
        "A token about which nobody can be asked is neither accepted nor refused, and that is what the caller is told.",
      "caller.one-token-in-the-header": "There is one token, in the Authorization header, and of limited size.",
      "caller.finds-the-way":
        "A client that knows nothing but the address finds the authorization server by what it is told.",
      "caller.step-up":
        "Missing scopes are asked for in one challenge, all that the operation needs; scopes include others as told.",
      "caller.checked-when-made":
        "A resource server that would trust too much, or could not work, is refused with every problem listed.",
    },
  },
  {
    source: "MCP 2026-07-28, authorization: the built-in authorization server",
    claims: {
      "authority.from-call-to-token":
        "A client that was refused finds the server, its person signs in and says yes, and the call is made as that person.",
      "authority.known-by-document":
        "A client may be known by the address of its metadata document, which is believed in name and addresses alone.",
      "authority.registration":
        "Clients register themselves only where that was switched on, as public clients, and limited in number and time.",
      "authority.used-once":
        "Codes and refresh tokens are used once, on any number of nodes; a second use ends all that came of the first.",
      "authority.one-resource": "A token is for one server, with scopes of that server that its person has allowed.",
      "authority.revocation":
        "A client gives its tokens back, and a person withdraws what they allowed; a later consent revives neither.",
      "authority.consent-per-client":
        "A person is asked for each client, again when it wants more or has its answers sent elsewhere, and sees which it is.",
      "authority.browser-bound":
        "A request is seen, answered and led on in the browser that began it, and in no other.",
      "authority.outlives-processes":
        "A restart loses no request, code, token or key, and nodes take turns at every step.",
      "authority.keys": "Signing keys are shared by all nodes, published before they sign, and kept while they count.",
      "authority.issuer-named": "Every answer to a client names the issuer, and the metadata says so.",
    },
  },
  {
    source: "design §4, an MCP server that asks",
    claims: {
      "mcp.one-handler": "One straight-line handler serves clients of every revision, with the official SDK.",
      "mcp.typed": "What `ask` gives has the type of the schema, the choices or the effect that it was given.",
      "mcp.prompts": "Prompts and resources ask as tools do.",
      "mcp.refusal-is-caught": "What the person did not give is an exception with a name, which the author may catch.",
      "mcp.refusal-in-words":
        "Uncaught, it tells the model what happened, what the user can do, and that trying again at once is useless.",
      "mcp.asked-together": "Questions asked together are one round, one error or one text, where that can carry them.",
      "mcp.answered-stays-answered": "When a handler is run again, what was answered comes from its journal.",
      "mcp.once": "An effect happens once in a call, over all processes; an interrupted one is not done again.",
      "mcp.same-arguments": "A call that comes again with other arguments is refused.",
      "mcp.confirm-is-a-choice":
        "A confirmation is a choice of two acts with names, in every revision; boxes that were asked for before are still read.",
      "mcp.no-is-kept": "What a person declined is not put again in that call.",
      "mcp.no-stops-what-has-not-begun":
        "A No stops every effect that has not begun, wherever it arrives and whatever was answered elsewhere before.",
      "mcp.no-aborts":
        "A No that comes after a Yes aborts the signal of the call, so that what is done outside of once can stop as well.",
      "mcp.no-is-told-what-was-done": "A No that comes too late is told what had begun or was done by then, and when.",
      "mcp.same-way": "A handler that asks in another order, or something else under a key, fails loudly.",
      "mcp.connection":
        "An account that a call needs is asked for, used, and asked for again when its provider ended it.",
    },
  },
  {
    source: "MCP 2026-07-28, requests that need input",
    claims: {
      "mcp.state-sealed": "What a client carries for a call is sealed, short, limited in time, and tells nothing.",
      "mcp.state-of-one-call":
        "It counts for the person, the client, the method and the arguments that it was given for, and for no others.",
      "mcp.state-used-once":
        "It is good for one answered request, on any number of processes; after the result it gives that again for a while.",
      "mcp.one-prompt": "A link is put once; until it is done, retries are held and answered with a state alone.",
      "mcp.rounds":
        "The rounds of the stock client are not overdrawn: at their end the result says how to go on, and the next call does.",
      "mcp.wires-apart": "Nothing of an older revision is on the newer wire, and nothing of the newer on the older.",
    },
  },
  {
    source: "MCP 2025-11-25, 2025-06-18 and the drafts, elicitation",
    claims: {
      "mcp.push-or-error":
        "A link is a request or an error by the author's wish for the question, what is known of the client, then the setting.",
      "mcp.all-links-in-the-error":
        "The error holds all the links that are needed, and the call goes on when it comes again.",
      "mcp.completion-to-initiator":
        "That a link is done is told once to the session that was given it, and to no other.",
      "mcp.sessions-without-memory": "What a client declared stands sealed in its session's id: any process serves it.",
      "mcp.session-has-an-owner": "A session of somebody else, altered, over or ended does not exist.",
      "mcp.without-sessions":
        "Without sessions, who sends the id back gets the error for links; who does not cannot be asked, unless the author says so.",
      "mcp.link-in-a-form":
        "Who shows forms only gets the address in the message and one box, which is not believed before it is done; or words.",
      "mcp.oldest-forms": "Forms of 2025-06-18 have no mode.",
      "mcp.until-held":
        "A link may be waited for no longer than one request is held, once the person agreed; it stays open after that.",
      "mcp.asks-anew":
        "A client that was sent away with a link, and calls again after it expired, is given a new one by that very call.",
      "mcp.own-page":
        "A link that no client can accept is done when its page says so: the author's own, or ours once the person said yes.",
      "mcp.track": "A draft's question how a link stands is answered with progress, and with the end or an error.",
      "mcp.track-own-only": "Ids that are unknown and those of others are refused alike.",
      "mcp.draft-code": "The error has the drafts' code only where they are switched on.",
    },
  },
  {
    source: "MCP, elicitation: what a client declares, and what becomes of a question",
    claims: {
      "mcp.words-for-the-rest":
        "Who cannot be asked gets a result with the link and what to do, and can go on after it.",
      "mcp.page-or-none":
        "Without pages, who cannot be asked cannot answer: the author has to say that this is meant, when the server is made.",
      "mcp.one-prompt-for-all":
        "Calls that one client makes side by side and that wait for the same account show one prompt, and all go on with it.",
      "mcp.caller-now": "Within a call or a factory, authors learn who calls and what the client can be asked.",
      "mcp.access-tools": "Tools to ask for access and to look how it stands are there for those clients alone.",
      "mcp.declared-modes": "Nothing is put in a mode that a client did not declare; a bare declaration is forms only.",
      "mcp.overrides": "Whoever runs the server may say more of a client by its name.",
      "mcp.giving-up": "A call that is given up takes its forms along and leaves a consent, which the next call finds.",
      "mcp.given-up-elsewhere":
        "A call that is taken back at another process than the one that works on it is stopped there, as if it had been that one.",
      "mcp.withdrawn":
        "A question that ended elsewhere is withdrawn at the client; late and repeated answers harm nothing.",
      "mcp.who-was-asked": "An answer counts in the session that was asked, and in no other.",
      "mcp.close-answers":
        "A server that closes answers held calls in words: what was asked stays, and the same call goes on elsewhere.",
      "mcp.in-a-framework":
        "A server in a framework takes the body that was read and the caller that was verified there, or checks API keys.",
      "mcp.other-generation": "A server of another generation of the SDK is refused in words that name the way.",
      "mcp.late-headers":
        "A request sends no header until it is answered or really held, so that a proxy may send it elsewhere.",
      "mcp.resumed":
        "A client of 2025 that lost the stream of a held call takes it up by Last-Event-ID, and gets what it missed and what comes.",
      "mcp.heartbeat":
        "A held call that wants to be told hears from time to time that it is held, on one timer for all.",
      "mcp.progress": "A held call that wants to be told is told in words what the person does.",
      "mcp.kept-alive": "A stream on which nothing happens says from time to time that it is still there.",
      "mcp.progress-apart": "Nobody hears of another's progress, whatever tokens they chose.",
      "mcp.answers-checked":
        "An answer that does not fit is asked for again with the problem named, three times at most.",
    },
  },
  {
    source: "MCP, transports and security best practices",
    claims: {
      "mcp.unknown-callers":
        "Callers whom nobody knows can be asked, cannot answer for each other, and have no accounts.",
      "mcp.rights-before-dispatch": "A request without the rights that it needs reaches no handler, whatever its kind.",
      "mcp.door":
        "Only known host names and listed web pages reach the endpoint; this machine's, unless said otherwise.",
      "mcp.body-limit":
        "A message is read up to a limit; a longer one is refused in words that name it, and the next is served.",
      "mcp.own-server": "Each request over HTTP has a server of its own.",
    },
  },
  {
    source: "proof of the MCP surface",
    claims: {
      "mcp.official-suite": "The official conformance suite finds nothing wrong in what it scores, for both revisions.",
      "mcp.url-suite": "At least 40 checks for url mode, each out of a specification, pass on ours in every revision.",
      "mcp.url-suite-finds": "The checks fail on servers that are faulty on purpose, each where its fault is.",
      "mcp.url-suite-command": "Any server can be checked by command, which says what was found, skipped, and why.",
      "mcp.matrix":
        "Every client, transport, question and answer has an expected end and is run, or says why it cannot be.",
      "mcp.consent-story":
        "With a browser and the official client, a call returns its result when its person has connected, and nobody else can.",
      "mcp.outlives-processes": "A server that is killed loses no call: another goes on when the client comes again.",
      "mcp.undelivered":
        "A call whose result never reached its client is taken up when it is made again, and does nothing twice; one that was delivered is not.",
      "mcp.held-cheaply": "However many calls are held, there is one timer.",
    },
  },
] as const
