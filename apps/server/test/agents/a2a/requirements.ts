// The requirements of the official kit of A2A (a2a-tck, branch 1.0-dev), by its ids, each with the section of the
// specification that it comes from. Tests cite rows through `conforms`; a guard fails for a row that no test cites, unless
// it says why there is none. The kit counts 129; its list has the 128 here, and one more that could not be read.

export type Level = "MUST" | "SHOULD" | "MAY"

export interface A2aRequirement {
  readonly id: A2aRequirementId
  readonly level: Level
  readonly section: string
  readonly text: string
  readonly gap?: string
}

type Row = readonly [id: string, level: Level, section: string, text: string, gap?: string]

const noGrpc = "gRPC is not offered."
const always = "Every agent offers it, so that the refusal cannot be seen."
const ofClients = "A rule for clients."
const ofDeployment = "The operator's reverse proxy ends TLS."
const noExtendedCard = "No agent has an extended card."

const rows = [
  ["CORE-SEND-001", "MUST", "3.1.1", "A message is answered by a task or a message."],
  ["CORE-SEND-002", "MUST", "3.1.1", "A task that has ended takes no message."],
  ["CORE-SEND-003", "MUST", "3.1.1", "A part of a media type that is not supported is refused."],
  ["CORE-STREAM-001", "MUST", "3.1.2", "A streaming message is answered by events as they happen."],
  [
    ...(["CORE-STREAM-002", "MUST", "3.1.2", "A stream of a message has that message alone."] as const),
    "Agents answer with tasks alone.",
  ],
  ["CORE-STREAM-003", "MUST", "3.1.2", "A stream of a task begins with it and closes at its end."],
  ["CORE-GET-001", "MUST", "3.1.3", "A task is read as it is now."],
  ["CORE-GET-002", "MUST", "3.1.3", "A task that does not exist is not found."],
  ["CORE-LIST-001", "MUST", "3.1.4", "The list has the caller's tasks alone."],
  ["CORE-LIST-002", "MUST", "3.1.4", "The list is paged by a cursor."],
  ["CORE-LIST-003", "MUST", "3.1.4", "The task that changed last comes first."],
  ["CORE-LIST-004", "MUST", "3.1.4", "The last page has an empty nextPageToken."],
  ["CORE-LIST-005", "MUST", "3.1.4", "Artifacts are left out unless they are asked for."],
  ["CORE-CANCEL-001", "MUST", "3.1.5", "Cancelling returns the task with its new state."],
  ["CORE-CANCEL-002", "MUST", "3.1.5", "A task that has ended is not cancelable."],
  ["CORE-CANCEL-003", "MUST", "3.1.5", "A task that does not exist is not found by cancelling."],
  [
    "CORE-EXECUTION-MODE-001",
    "MUST",
    "3.2.2",
    "Without returnImmediately, sending waits for an end or an interruption.",
  ],
  ["CORE-EXECUTION-MODE-002", "MUST", "3.2.2", "With returnImmediately, sending does not wait for the work."],
  ["CORE-ERR-001", "MUST", "3.3.2", "Errors have a code and words that help."],
  ["CORE-ERR-002", "MUST", "3.3.2", "Parameters are checked before anything is done."],
  ["CORE-CAP-001", "MUST", "3.3.4", "Without the capability, notifications are refused.", always],
  ["CORE-CAP-002", "MUST", "3.3.4", "Without the capability, streaming is refused.", always],
  ["CORE-CAP-003", "MUST", "3.3.4", "Without the capability, an extended card is refused."],
  [
    ...(["CORE-CAP-004", "MUST", "3.3.4", "Without a required extension, a request is refused."] as const),
    "No agent requires an extension.",
  ],
  ["CORE-MULTI-001", "MAY", "3.4.1", "A message without a context is given one."],
  ["CORE-MULTI-001a", "MUST", "3.4.1", "A context that was made is in the response."],
  ["CORE-MULTI-002", "MAY", "3.4.1", "The context of a client is kept."],
  ["CORE-MULTI-002a", "MUST", "3.4.1", "A context that cannot be kept is refused, and none is made instead."],
  ["CORE-MULTI-003", "MUST", "3.4.2", "Each new task has an id of its own."],
  ["CORE-MULTI-004", "MUST", "3.4.2", "A message for a task that does not exist is refused."],
  ["CORE-MULTI-005", "MUST", "3.4.3", "The context follows from the task."],
  ["CORE-MULTI-006", "MUST", "3.4.3", "A message whose context is not the task's is refused."],
  ["CORE-HIST-001", "SHOULD", "3.2.4", "historyLength 0 leaves the history out."],
  ["CORE-HIST-002", "MUST", "3.2.4", "The history is not longer than asked for."],
  ["CORE-HIST-003", "SHOULD", "3.2.4", "historyLength 0 holds for sending too."],
  ["CORE-HIST-004", "MAY", "3.2.4", "Messages are kept in the history."],
  ["CORE-HIST-005", "SHOULD", "3.2.4", "The history is in the order of time."],
  ["CORE-HIST-006", "SHOULD", "3.2.4", "The history has the messages as they were sent."],
  ["DM-TASK-001", "MUST", "4.1.1", "A task has id, contextId and status."],
  ["DM-TASK-002", "MUST", "4.1.3", "The state is one of the enumeration."],
  ["DM-MSG-001", "MUST", "4.1.4", "A message has role, parts and messageId."],
  ["DM-MSG-002", "MUST", "4.1.5", "The role is user or agent."],
  ["DM-PART-001", "MUST", "4.1.6", "A part has one of text, raw, url and data."],
  ["DM-ART-001", "MUST", "4.1.7", "An artifact has artifactId and parts."],
  ["DM-STATUS-001", "MUST", "4.1.2", "A status has a state."],
  ["DM-SERIAL-001", "MUST", "5.5", "Fields are camelCase."],
  ["DM-SERIAL-002", "MUST", "5.5", "Enumerations are names."],
  ["DM-SERIAL-003", "MUST", "5.6.1", "Times are ISO 8601 in UTC."],
  ["DM-SERIAL-004", "MUST", "5.7", "Required fields are there."],
  ["DM-SERIAL-005", "SHOULD", "5.7", "Unknown fields are ignored."],
  ["STREAM-ORDER-001", "MUST", "3.5.2", "Events come in the order in which they happened."],
  ["STREAM-ORDER-002", "MUST", "3.5.2", "All streams of a task get its events."],
  ["STREAM-ORDER-003", "MUST", "3.5.2", "All streams have the same order."],
  ["STREAM-ORDER-004", "MUST", "3.5.2", "The end of one stream leaves the others open."],
  ["STREAM-SUB-001", "MUST", "3.1.6", "A subscription begins with the task."],
  ["STREAM-SUB-002", "MUST", "3.1.6", "A subscription closes at the task's end."],
  ["STREAM-SUB-003", "MUST", "3.1.6", "A task that has ended takes no subscription."],
  ["STREAM-SUB-004", "MUST", "3.1.6", "A task that does not exist is not found by subscribing."],
  ["PUSH-CREATE-001", "MUST", "3.1.7", "A configuration is made and returned."],
  ["PUSH-CREATE-002", "MUST", "3.1.7", "A configuration is kept until it is deleted, or as long as its task."],
  ["PUSH-GET-001", "MUST", "3.1.8", "A configuration is read."],
  ["PUSH-GET-002", "MUST", "3.1.8", "A configuration that does not exist is refused."],
  ["PUSH-LIST-001", "MUST", "3.1.9", "All configurations of a task are listed."],
  ["PUSH-DEL-001", "MUST", "3.1.10", "A configuration is deleted."],
  ["PUSH-DEL-002", "MUST", "3.1.10", "Deleting again is a success."],
  ["PUSH-DELIVER-001", "MUST", "4.3.3", "Notifications carry the credentials that were given."],
  ["PUSH-DELIVER-002", "MUST", "4.3.3", "Each receiver is tried at least once."],
  ["PUSH-DELIVER-003", "MUST", "4.3.3", "A notification is a StreamResponse with one member."],
  ["CARD-DISC-001", "MUST", "8.1", "There is a card."],
  ["CARD-PROTO-001", "MUST", "8.3", "The card declares the bindings."],
  ["CARD-PROTO-002", "MUST", "8.3.1", "Each interface has its binding and address."],
  ["CARD-STRUCT-001", "MUST", "4.4.1", "The card has its required fields."],
  ["CARD-EXT-001", "MUST", "3.1.11", "An extended card needs authentication.", noExtendedCard],
  ["CARD-EXT-002", "MUST", "3.1.11", "A declared extended card that is missing is refused.", noExtendedCard],
  ["CARD-SIGN-001", "MUST", "8.4.1", "The card is canonicalized before it is signed."],
  ["CARD-SIGN-002", "MUST", "8.4.1", "Signatures are not part of what is signed."],
  ["CARD-SIGN-003", "MUST", "8.4.2", "The protected header has alg and kid."],
  ["CARD-SIGN-004", "MUST", "8.4.3", "Expired and revoked keys verify nothing.", ofClients],
  ["CARD-CACHE-001", "SHOULD", "8.6.1", "The card has Cache-Control with max-age."],
  ["CARD-CACHE-002", "SHOULD", "8.6.1", "The card has an ETag."],
  ["CARD-CACHE-003", "MAY", "8.6.1", "The card has Last-Modified.", "The ETag says it, and cards have no time."],
  ["AUTH-TLS-001", "MUST", "7.1", "In production, connections are encrypted.", ofDeployment],
  ["AUTH-TLS-002", "SHOULD", "7.1", "TLS is modern.", ofDeployment],
  ["AUTH-SERVER-001", "SHOULD", "7.2", "Clients check the server's certificate.", ofClients],
  ["AUTH-SERVER-002", "MUST", "7.4", "Each request is authenticated."],
  ["AUTH-INTASK-001", "MUST", "7.6.1", "A task tracks what needs an authorization."],
  ["AUTH-INTASK-002", "MUST", "7.6.1", "Such a task is in the state AUTH_REQUIRED."],
  ["AUTH-INTASK-003", "MUST", "7.6.1", "Its status says in words what is needed."],
  ["AUTH-INTASK-004", "MUST", "7.6.1", "Credentials arrive out of band."],
  ["AUTH-INTASK-005", "SHOULD", "7.6.1", "Streams stay open meanwhile."],
  ["AUTH-INTASK-006", "SHOULD", "7.6.1", "Messages are accepted meanwhile, and may reject it."],
  ["AUTH-SCOPE-001", "MUST", "13.1", "Each operation is checked for the caller's right."],
  ["AUTH-SCOPE-002", "MUST", "13.1", "Results are those of the caller."],
  ["AUTH-SCOPE-003", "MUST", "3.3.2", "What belongs to others looks as if it did not exist."],
  ["VER-CLIENT-001", "MUST", "3.6.1", "Clients send A2A-Version.", ofClients],
  ["VER-CLIENT-002", "MUST", "3.6", "Patch numbers of versions do not matter."],
  ["VER-SERVER-001", "MUST", "3.6.2", "A request is read as its version says."],
  ["VER-SERVER-002", "MUST", "3.6.2", "A version that is not offered is refused."],
  ["VER-SERVER-003", "MUST", "3.6.2", "An empty version is 0.3."],
  ["BIND-EQUIV-001", "MUST", "5.1", "All bindings have the same operations."],
  ["BIND-EQUIV-002", "MUST", "5.1", "All bindings give the same results."],
  ["BIND-EQUIV-003", "MUST", "5.1", "All bindings give the same errors."],
  ["BIND-EQUIV-004", "MUST", "5.1", "All bindings have the same authentication."],
  ["BIND-FIELD-001", "MUST", "5.2", "The card declares all bindings."],
  ["JSONRPC-FMT-001", "MUST", "9.1", "Requests are JSON-RPC 2.0."],
  ["JSONRPC-FMT-002", "MUST", "9.1", "The content type is application/json."],
  ["JSONRPC-SVC-001", "MUST", "9.1", "Methods are PascalCase."],
  ["JSONRPC-SVC-002", "MUST", "9.2", "Service parameters are headers."],
  ["JSONRPC-ERR-001", "MUST", "9.5", "Errors are those of JSON-RPC 2.0."],
  ["JSONRPC-ERR-002", "MUST", "9.5", "Errors of A2A have codes from -32099 to -32001."],
  ["JSONRPC-SSE-001", "MUST", "9.4.2", "Streams are server-sent events with JSON-RPC responses."],
  ["JSONRPC-SSE-002", "MUST", "5.4", "Each error has its code."],
  ["HTTP_JSON-URL-001", "MUST", "11.3", "Paths are those of the specification."],
  ["HTTP_JSON-URL-002", "MUST", "11.3", "Methods are those of the specification."],
  ["HTTP_JSON-SVC-001", "SHOULD", "11.1", "The content type is application/a2a+json."],
  ["HTTP_JSON-SVC-002", "MUST", "11.2", "Service parameters are headers."],
  ["HTTP_JSON-QP-001", "MUST", "11.5", "Query parameters are camelCase."],
  ["HTTP_JSON-ERR-001", "MUST", "11.6", "Errors have code, status, message and details."],
  ["HTTP_JSON-ERR-002", "MUST", "11.6", "Errors of A2A have an ErrorInfo."],
  ["HTTP_JSON-STATUS-001", "MUST", "5.4", "Each error has its HTTP status; since 1.0.1, 400 for media types."],
  ["HTTP_JSON-SSE-001", "MUST", "11.7", "Streams are server-sent events with StreamResponses."],
  ["GRPC-SVC-001", "MUST", "10.1", "The service is that of a2a.proto.", noGrpc],
  ["GRPC-SVC-002", "MUST", "10.1", "Messages are Protocol Buffers 3.", noGrpc],
  ["GRPC-SVC-003", "MUST", "10.1", "gRPC runs over HTTP/2 with TLS.", noGrpc],
  ["GRPC-META-001", "MUST", "10.2", "Service parameters are metadata.", noGrpc],
  ["GRPC-ERR-001", "MUST", "10.6", "Errors have an ErrorInfo.", noGrpc],
  ["GRPC-ERR-002", "MUST", "5.4", "Each error has its gRPC status.", noGrpc],
  ["GRPC-ERR-003", "MUST", "10.7", "Streams are server streaming calls.", noGrpc],
] as const satisfies readonly Row[]

export type A2aRequirementId = (typeof rows)[number][0]

const toRequirement = ([id, level, section, text, gap]: (typeof rows)[number] & Row): A2aRequirement => ({
  ...{ id: id as A2aRequirementId, level, section, text },
  ...(gap === undefined ? {} : { gap }),
})

export const a2aRequirements: readonly A2aRequirement[] = rows.map((row) => toRequirement(row))
