// The data of each page. The routes decide what a person may see. Texts are untrusted, so pages escape all of them.
// Times are milliseconds since 1970.

import type { AskingClient, Problem, Reason } from "@holdpoint/hub"
import type { ConnectionStatus, FormElicitation, SettledStatus, UrlElicitation } from "@holdpoint/hub/internal"
import type { TimelineItem } from "@holdpoint/hub/stream"
import type { AfterAnswerView } from "./after-answer.ts"
import type { Html } from "./html.ts"
import type { ReachView } from "./reach.ts"
import type { VotesView } from "./votes.ts"

/** The signed-in person, as shown at the top. `csrf` is the token for posts of their session. */
export interface SignedIn {
  readonly signedInAs: string
  readonly csrf: string
  /** Local mode: there is no sign-in, so no sign-out button is shown. */
  readonly isLocal?: boolean
  /** The pages to which the header links. */
  readonly links?: readonly PageLink[]
}

/** A page to which the header of every page links. */
export interface PageLink {
  readonly name: string
  readonly path: string
}

/** A link back to the page that the person came from. Its address is configured, never read from a request. */
export interface ReturnTo {
  readonly href: string
  readonly name: string
}

/** The message that a popup window posts to its opener, and the only origin that may receive the message. */
export interface Popup {
  readonly origin: string
  readonly id: string
  readonly status: string
}

export interface SignInView {
  readonly identityProviders: readonly { readonly id: string; readonly name: string; readonly href: string }[]
  /** The page after sign-in: an id, never an address. Each `href` contains the id too. */
  readonly to: string
  readonly problem?: string
  /** Whether this is a demo in which anyone can sign in as any of its people. */
  readonly demo?: boolean
}

export type ConnectKind = "oauth" | "mcp_server" | "login_flow" | "api_key" | "basic"

export interface ScopeView {
  readonly scope: string
  readonly words: string
  /** Whether the scope has not been granted before. */
  readonly isNew?: boolean
}

export interface ConnectView extends SignedIn {
  readonly now: number
  readonly id: string
  /**
   * The address to which the form posts `csrf`, `shown`, `do` (`continue`, `needed` or `no`), `allow`, `key`,
   * `username`, `password`.
   */
  readonly action: string
  readonly provider: { readonly name: string; readonly host: string }
  readonly requester: { readonly name: string }
  /** The program that relayed the question. Its name is self-reported, and shown as such. */
  readonly client?: { readonly name: string }
  readonly message: string
  readonly scopes: readonly ScopeView[]
  /** Optional scopes. Each ticked one is posted as `allow`; `do` = `needed` ignores them all. */
  readonly offers?: readonly Pick<ScopeView, "scope" | "words">[]
  /** The project that will own the connection. Absent when the person will own it. */
  readonly owner?: string
  /** The account that stays connected until the new consent, or that was connected before its access was lost. */
  readonly account?: string
  /** The reason why consent is needed again, as a sentence. */
  readonly lossSentence?: string
  /** Whether a Yes adds the new scopes to a working connection, without a visit to the provider. */
  readonly widens?: boolean
  /** Identifies the content of this page. The value is posted back, so that a Yes allows nothing else. */
  readonly shown: string
  /** Whether the form was posted from a page that showed an older request. */
  readonly isChanged?: boolean
  readonly kind: ConnectKind
  readonly help?: { readonly words: string; readonly url?: string }
  /** Local mode: the code that the terminal shows as well. */
  readonly code?: string
  readonly expiresAt: number
  /** The reason why the last attempt failed. */
  readonly problem?: string
  /** Problems with the posted fields. Only the user name is shown again, never a key or password. */
  readonly problems?: readonly { readonly field: "key" | "username" | "password"; readonly message: string }[]
  readonly username?: string
}

export interface WaitingView extends SignedIn {
  readonly now: number
  readonly id: string
  readonly provider: { readonly name: string; readonly host: string }
  /** The login address at the provider, opened in another tab. Absent once the provider has answered. */
  readonly login?: string
  /** A code that the provider shows as well. */
  readonly code?: string
  /** The address to which the form posts `csrf` and `do` = `no`. */
  readonly action: string
  /**
   * The address that the page polls. Responds with `{ "status": "waiting" }` until the question ends, then with `{
   * "status": …, "next": "/…" }`.
   */
  readonly statusUrl: string
  readonly expiresAt: number
}

export interface ConfirmAccountView extends SignedIn {
  readonly now: number
  readonly provider: { readonly name: string }
  /** The account that was connected before. */
  readonly before?: string
  readonly after: string
  /**
   * Set when the account may belong to another person: the signed-in person's name, and whether the account certainly
   * is another person's.
   */
  readonly owner?: { readonly name: string; readonly isOther: boolean }
  /** The address to which the form posts `csrf` and `do` (`use` or `keep`). */
  readonly action: string
}

export interface DoneView {
  readonly provider: { readonly name: string }
  /** The asker's steps after the answer. */
  readonly afterAnswer: AfterAnswerView
  readonly account?: string
  /** The address of the account page, if it contains a key, as in local mode. */
  readonly accountPage?: string
  readonly returnTo?: ReturnTo
  readonly popup?: Popup
}

/** A visit to an external page: the person says Yes, and then waits until the asker confirms that it is done. */
export interface VisitView extends SignedIn {
  readonly now: number
  readonly id: string
  /** The address to which the form posts `csrf` and `do` (`yes` or `no`). */
  readonly action: string
  /** The address that the page polls, as in `WaitingView`. */
  readonly statusUrl: string
  readonly requester: { readonly name: string }
  /** The program that relayed the question. Its name is self-reported, and shown as such. */
  readonly client?: { readonly name: string }
  readonly message: string
  /** The external address. From the question, never from the request. */
  readonly address: string
  /** Local mode: the code that the terminal shows as well. */
  readonly code?: string
  readonly expiresAt: number
}

export interface LeavingView {
  readonly address: string
}

export interface ConfirmedView {
  readonly requester: { readonly name: string }
  readonly afterAnswer: AfterAnswerView
  readonly returnTo?: ReturnTo
  readonly popup?: Popup
}

export interface EndedView {
  readonly title: string
  readonly words: string
  readonly returnTo?: ReturnTo
  readonly popup?: Popup
}

/** The answer form of a question: its address, and the values and problems of the last attempt. */
interface AnswerForm {
  /**
   * The address to which the form posts `csrf`, `do`, and the fields. `do` is `send` or `decline`; for a yes-or-no
   * question `yes` or `no`, and `reason` with a `no`; for a url question only `decline`.
   */
  readonly action: string
  readonly values?: Readonly<Record<string, unknown>>
  readonly problems?: readonly Problem[]
  /** The reason that the person entered for a No. */
  readonly reason?: string
  /** The votes, when several people have to approve. */
  readonly votes?: VotesView
  /** Whether this person may not answer, because the question is asked on their behalf. */
  readonly isOwnRequest?: true
}

type ShownMember = "id" | "mode" | "message" | "detail" | "requester" | "client" | "createdAt" | "expiresAt" | "status"

/** The parts of an elicitation that its page shows. */
export type QuestionOf =
  | Pick<FormElicitation, ShownMember | "requestedSchema">
  /** `popup`: whether the address is a page of this server, which reports its outcome to the inbox. */
  | (Pick<UrlElicitation, ShownMember | "url"> & { readonly popup?: boolean })

export interface InboxView extends SignedIn {
  readonly now: number
  readonly items: readonly InboxItem[]
  /** The stream of server-sent events; each event means that the inbox has changed. */
  readonly eventsUrl: string
  /** The name under which the tabs of one session share the stream. */
  readonly streamName: string
}

export interface InboxItem extends AnswerForm {
  readonly elicitation: QuestionOf
  /** The question's own page. */
  readonly href: string
}

export interface QuestionView extends SignedIn, AnswerForm {
  /** The page with the question's timeline. */
  readonly timeline?: string
  /** The state of the asker: whether it still waits. */
  readonly afterAnswer?: AfterAnswerView
  readonly now: number
  readonly elicitation: QuestionOf
}

export interface AnsweredView extends Partial<SignedIn> {
  readonly now: number
  readonly requester: { readonly name: string }
  readonly client?: AskingClient
  readonly message: string
  readonly status: SettledStatus | "accepted"
  /** Whether this person ended the question. */
  readonly isByYou: boolean
  /** The label of the chosen button or the connected account, if known. */
  readonly done?: string
  /** The place where the question was answered, in words. */
  readonly via?: string
  readonly afterAnswer: AfterAnswerView
  readonly votes?: VotesView
  readonly at?: number
  readonly reason?: Reason
  /** The page with the question's timeline. */
  readonly timeline?: string
}

/** The timeline of a question, and of the run or call that asked it. */
export interface TimelineView extends SignedIn {
  readonly now: number
  readonly requester: { readonly name: string }
  readonly message: string
  /** The page of the question. */
  readonly question: string
  readonly steps: readonly TimelineStepView[]
}

export interface TimelineStepView {
  readonly at: number
  readonly item: TimelineItem
  /** Whether the person who reads the page did this step. */
  readonly isByYou: boolean
  /** The label of the chosen button. */
  readonly buttonLabel?: string
  /** The message of the step's question, if the call asked several questions. */
  readonly questionMessage?: string
  readonly client?: AskingClient
}

export interface ConnectionView {
  readonly id: string
  readonly provider: { readonly name: string }
  readonly account?: string
  readonly scopes: readonly ScopeView[]
  readonly status: ConnectionStatus
  readonly reason?: string
  readonly connectedAt?: number
  readonly lastUsedAt?: number
  readonly expiresAt?: number
  /** The last characters of an entered key. */
  readonly hint?: string
  /** Scopes that can be removed one by one: posts `csrf` and `scope` to `action`. */
  readonly narrow?: { readonly action: string; readonly scopes: readonly ScopeView[] }
  /** The address to which the form posts `csrf`. */
  readonly disconnect: string
  /** The address to which the form that connects the account again posts `csrf`. */
  readonly reconnect?: string
}

export interface SessionView {
  readonly id: string
  readonly agent?: string
  readonly createdAt: number
  readonly seenAt: number
  readonly current: boolean
  /** The address to which the form posts `csrf`. */
  readonly end: string
}

export interface HistoryView {
  readonly at: number
  readonly words: string
  readonly detail?: string
  /** The page of the question. `timeline` is the page with its timeline. */
  readonly href?: string
  readonly timeline?: string
}

/** For administrators: the accounts of projects, and a form to connect one. */
export interface ProjectsView {
  readonly connections: readonly (ConnectionView & { readonly project: string })[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  /** The address to which the form posts `csrf`, `project`, `provider`, `scopes` (separated by spaces). */
  readonly action: string
  readonly values?: { readonly project?: string; readonly provider?: string; readonly scopes?: string }
  readonly problems?: readonly { readonly field: "project" | "provider" | "scopes"; readonly message: string }[]
}

/** A program that the person has allowed to act in their name. */
export interface ProgramView {
  readonly name: string
  /** The program's host, if it is known. */
  readonly host?: string
  /** The server that it uses. */
  readonly resource: string
  readonly scopes: readonly ScopeView[]
  readonly since: number
  /** The address to which the form posts `csrf`. */
  readonly withdraw: string
}

/** A program that asks over HTTP, with a key. */
export interface AskingProgramView {
  readonly name: string
  /** The beginning of the program's key. */
  readonly shownKey: string
  /** The people that the program may ask, in words. */
  readonly audience: string
  /** The person who created the key, if it was not the person who reads the page. */
  readonly madeBy?: string
  readonly since: number
  readonly lastUsedAt?: number
  /** The address to which the form posts `csrf`. */
  readonly remove: string
}

export interface AskingProgramsView {
  readonly programs: readonly AskingProgramView[]
  /** The address to which the form posts `csrf`, `name`; for administrators also `to` (me, role, anyone) and `role`. */
  readonly action: string
  readonly isAdmin: boolean
  /** The program that was just created, with its key. */
  readonly newKey?: { readonly name: string; readonly key: string }
  readonly values?: { readonly name?: string; readonly to?: string; readonly role?: string }
  readonly problems?: readonly { readonly field: "name" | "to" | "role"; readonly message: string }[]
}

/** A group of settings that a person may choose. */
export interface ChoiceGroupView {
  readonly id: string
  readonly title: string
  readonly words: string
  /** The address to which the form posts `csrf`, `group`, and one field for each item. */
  readonly action: string
  readonly options: readonly { readonly value: string; readonly title: string }[]
  readonly items: readonly {
    readonly name: string
    readonly title: string
    readonly usual: string
    readonly chosen?: string
  }[]
}

export interface AccountView extends SignedIn {
  readonly now: number
  readonly connections: readonly ConnectionView[]
  readonly programs?: readonly ProgramView[]
  /** Absent if programs cannot have keys. */
  readonly asking?: AskingProgramsView
  /** The sections of the parts of the server. */
  readonly sections?: readonly Html[]
  readonly sessions: readonly SessionView[]
  readonly history: readonly HistoryView[]
  readonly projects?: ProjectsView
  readonly choices?: readonly ChoiceGroupView[]
  /** Absent if no outlet sends questions to people. */
  readonly reach?: ReachView
  /** The address to which the form posts `csrf`. */
  readonly signOutEverywhere: string
  /** The result of the last action, such as "Nextcloud was disconnected." */
  readonly notice?: string
}

export interface ConfirmDisconnectView extends SignedIn {
  readonly connection: Pick<ConnectionView, "id" | "provider" | "account" | "disconnect">
}
