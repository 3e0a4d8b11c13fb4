// What each page shows, as plain data. Whoever serves the pages decides what a person may see; here it is only said.
// Texts may come from anybody: pages escape all of them. Times are milliseconds since 1970.

import type { ConnectionStatus } from "../../core/connection.ts"
import type { AskingClient, FormElicitation, Reason, SettledStatus, UrlElicitation } from "../../core/elicitation.ts"
import type { Problem } from "../../core/error.ts"
import type { SequelView } from "./sequel.ts"

/** A person who is signed in, as shown at the top. `csrf` is for their sign-out button. */
export interface SignedIn {
  readonly signedInAs: string
  readonly csrf: string
  /** Local mode: nobody has signed in, so nobody can sign out. */
  readonly isLocal?: boolean
}

/** Offered at the end: an address that the server knows by an id of its own. */
export interface ReturnTo {
  readonly href: string
  readonly name: string
}

/** The window was opened by a page of ours, which is told how it went: no more than this, and to this origin only. */
export interface Popup {
  readonly origin: string
  readonly id: string
  readonly status: string
}

export interface SignInView {
  readonly identityProviders: readonly { readonly id: string; readonly name: string; readonly href: string }[]
  /** Where to go afterwards: an id, never an address. Each `href` knows it too. */
  readonly to: string
  readonly problem?: string
  /** People and passwords of the built-in identity provider are public. */
  readonly demo?: boolean
}

export type ConnectKind = "oauth" | "login_flow" | "api_key" | "basic"

export interface ScopeView {
  readonly scope: string
  readonly words: string
  /** Not granted so far. */
  readonly isNew?: boolean
}

export interface ConnectView extends SignedIn {
  readonly now: number
  readonly id: string
  /** Posts here: `csrf`, `shown`, `do` (`continue`, `needed` or `no`), `allow`, `key`, `username`, `password`. */
  readonly action: string
  readonly provider: { readonly name: string; readonly host: string }
  readonly requester: { readonly name: string }
  /** Self-reported, and shown as such. */
  readonly client?: { readonly name: string }
  readonly message: string
  readonly scopes: readonly ScopeView[]
  /** What the person may allow at the same time: `allow` of the post, once for each; none of it with `do` = `needed`. */
  readonly offers?: readonly Pick<ScopeView, "scope" | "words">[]
  /** The project that will own the connection. Absent: the person does. */
  readonly owner?: string
  /** As which account it is connected already, until the new consent is there; or was, before it was lost. */
  readonly account?: string
  /** Why it has to be allowed again, as a sentence. */
  readonly lost?: string
  /** It is connected and works: one yes adds what is new, and nobody goes to the provider. */
  readonly widens?: boolean
  /** Goes back with the press: what this page showed, and nothing else, is allowed by it. */
  readonly shown: string
  /** The press came for a page that showed something else. */
  readonly isChanged?: boolean
  readonly kind: ConnectKind
  readonly help?: { readonly words: string; readonly url?: string }
  /** Local mode: the same code stands in the terminal. */
  readonly code?: string
  readonly expiresAt: number
  /** How an earlier try ended. */
  readonly problem?: string
  /** Of the fields that were posted. Nothing that was entered is shown again, except the user name. */
  readonly problems?: readonly { readonly field: "key" | "username" | "password"; readonly message: string }[]
  readonly username?: string
}

export interface WaitingView extends SignedIn {
  readonly now: number
  readonly id: string
  readonly provider: { readonly name: string; readonly host: string }
  /** At the provider; opened in another tab. Absent once it has answered, and the answer is being worked on. */
  readonly login?: string
  /** Shown at the provider too, beside who asks. */
  readonly code?: string
  /** Posts here: `csrf`, `do` = `no`. */
  readonly action: string
  /** Answers `{ "status": "waiting" }` until it is over, then `{ "status": …, "next": "/…" }`. */
  readonly statusUrl: string
  readonly expiresAt: number
}

export interface ConfirmAccountView extends SignedIn {
  readonly provider: { readonly name: string }
  /** As whom it was connected so far. */
  readonly before?: string
  readonly after: string
  /** The account is not known to be theirs: who they are here, and whether it is known to be another's. */
  readonly owner?: { readonly name: string; readonly isOther: boolean }
  /** Posts here: `csrf`, `do` (`use` or `keep`). */
  readonly action: string
}

export interface DoneView {
  readonly provider: { readonly name: string }
  /** What the asker makes of it. */
  readonly sequel: SequelView
  readonly account?: string
  /** Where it can be disconnected, when that needs more than the usual address. */
  readonly accountPage?: string
  readonly returnTo?: ReturnTo
  readonly popup?: Popup
}

/** A page of somebody else: to say yes to, and afterwards to wait for. */
export interface VisitView extends SignedIn {
  readonly now: number
  readonly id: string
  /** Posts here: `csrf`, `do` (`yes` or `no`). */
  readonly action: string
  /** As in `WaitingView`. */
  readonly statusUrl: string
  readonly requester: { readonly name: string }
  /** Self-reported, and shown as such. */
  readonly client?: { readonly name: string }
  readonly message: string
  /** Out of the question, never out of a link. */
  readonly address: string
  /** Local mode: the same code stands in the terminal. */
  readonly code?: string
  readonly expiresAt: number
}

export interface LeavingView {
  readonly address: string
}

export interface ConfirmedView {
  readonly requester: { readonly name: string }
  readonly sequel: SequelView
  readonly returnTo?: ReturnTo
  readonly popup?: Popup
}

export interface EndedView {
  readonly title: string
  readonly words: string
  readonly returnTo?: ReturnTo
  readonly popup?: Popup
}

/** Who asks, through what, what and until when. */
interface Asked {
  /** Posts here: `csrf`, `do` (`send` or `decline`; of a url question `decline` alone), and the fields. */
  readonly action: string
  readonly values?: Readonly<Record<string, unknown>>
  readonly problems?: readonly Problem[]
}

type Shown = "id" | "mode" | "message" | "requester" | "client" | "createdAt" | "expiresAt" | "status"

/** As much of an elicitation as its page shows. */
export type QuestionOf =
  | Pick<FormElicitation, Shown | "requestedSchema">
  /** `popup`: the address is a page of ours, which knows how to tell the inbox that it is done. */
  | (Pick<UrlElicitation, Shown | "url"> & { readonly popup?: boolean })

export interface InboxView extends SignedIn {
  readonly now: number
  readonly items: readonly InboxItem[]
  /** Server events: each one means that the inbox has changed. */
  readonly eventsUrl: string
}

export interface InboxItem extends Asked {
  readonly elicitation: QuestionOf
  /** Its own page. */
  readonly href: string
}

export interface QuestionView extends SignedIn, Asked {
  readonly now: number
  readonly elicitation: QuestionOf
}

export interface AnsweredView extends Partial<SignedIn> {
  readonly now: number
  readonly requester: { readonly name: string }
  readonly client?: AskingClient
  readonly message: string
  readonly status: SettledStatus | "accepted"
  /** Whether this person ended it, just now or earlier. */
  readonly byYou: boolean
  readonly sequel: SequelView
  readonly at?: number
  readonly reason?: Reason
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
  /** Scopes that can be taken away one by one: posts to `action` `csrf`, `scope`. */
  readonly narrow?: { readonly action: string; readonly scopes: readonly ScopeView[] }
  /** Posts here: `csrf`. */
  readonly disconnect: string
  /** To allow it again: posts here `csrf`. */
  readonly reconnect?: string
}

export interface SessionView {
  readonly id: string
  readonly agent?: string
  readonly createdAt: number
  readonly seenAt: number
  readonly current: boolean
  /** Posts here: `csrf`. */
  readonly end: string
}

export interface HistoryView {
  readonly at: number
  readonly words: string
  readonly detail?: string
}

/** For administrators: what projects own, and a form to connect something for one. */
export interface ProjectsView {
  readonly connections: readonly (ConnectionView & { readonly project: string })[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  /** Posts here: `csrf`, `project`, `provider`, `scopes` (separated by spaces). */
  readonly action: string
  readonly values?: { readonly project?: string; readonly provider?: string; readonly scopes?: string }
  readonly problems?: readonly { readonly field: "project" | "provider" | "scopes"; readonly message: string }[]
}

/** A program that the person has allowed to act in their name. */
export interface ProgramView {
  readonly name: string
  /** Where it comes from, if that is known. */
  readonly host?: string
  /** The server that it uses. */
  readonly resource: string
  readonly scopes: readonly ScopeView[]
  readonly since: number
  /** Posts here: `csrf`. */
  readonly withdraw: string
}

/** A group of things that a person may choose for themselves. */
export interface ChoiceGroupView {
  readonly id: string
  readonly title: string
  readonly words: string
  /** Posts here: `csrf`, `group`, and one field for each item. */
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
  readonly sessions: readonly SessionView[]
  readonly history: readonly HistoryView[]
  readonly projects?: ProjectsView
  readonly choices?: readonly ChoiceGroupView[]
  /** Posts here: `csrf`. */
  readonly signOutEverywhere: string
  /** What was just done: "Nextcloud was disconnected." */
  readonly notice?: string
}

export interface ConfirmDisconnectView extends SignedIn {
  readonly connection: Pick<ConnectionView, "id" | "provider" | "account" | "disconnect">
}

export interface SignedOutView {
  /** Where the session at the identity provider is ended too. */
  readonly elsewhere?: string
}

export interface ErrorView {
  readonly title: string
  readonly words: string
}
