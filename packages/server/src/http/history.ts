// The history on the account page: the person's answers, and the accounts that were connected and disconnected. Pure.
// An entry shows whether the answer was Yes or No, and never its content.

import type { ConnectContext } from "@holdpoint/accounts/internal"
import { isAboutConnection, readContext } from "@holdpoint/accounts/internal"
import type { Elicitation } from "@holdpoint/hub"
import { isSamePerson, type PrincipalId, paths } from "@holdpoint/hub"
import type { Connection } from "@holdpoint/hub/internal"
import { pathTo } from "@holdpoint/hub/internal"
import type { HistoryView } from "../web/index.ts"
import { buttonLabelOf, shorten, viaWords } from "../web/index.ts"
import type { Site } from "./site.ts"

export interface HistorySource {
  readonly person: PrincipalId
  readonly questions: readonly Elicitation[]
  readonly connections: readonly Connection[]
}

type Names = Pick<Site, "vault">

/** The person's past questions and connections, newest first, at most 50 entries. */
export function toHistory(site: Names, source: HistorySource): readonly HistoryView[] {
  const { person, questions, connections } = source
  const answers = questions.map((question) => toRow(site, question, source))
  const listedConnections = new Set(questions.flatMap((question) => connectedBy(question, connections)?.id ?? []))
  const events = connections.flatMap((connection) =>
    toEvents(site, connection, { person, isListed: listedConnections.has(connection.id) }),
  )
  return [...answers, ...events].sort((a, b) => b.at - a.at).slice(0, 50)
}

function toRow(site: Names, question: Elicitation, { person, connections }: HistorySource): HistoryView {
  const { id, settledAt, createdAt } = question
  const about = `“${shorten(question.message)}”`
  const outcome = doneWords(site, question, { person, connections })
  const words =
    outcome === undefined
      ? endWords(question, nameOf(question, person), about)
      : `${outcome}${question.mode === "form" ? ` to ${about}` : ""}`
  return { at: settledAt ?? createdAt, words, detail: detailOf(question), ...pagesOf(id) }
}

const pagesOf = (id: string) => ({ href: pathTo(paths.question, id), timeline: pathTo(paths.timeline, id) })

/**
 * The text about the end of a question, if more is known than that it was answered: the chosen button, or the connected
 * account.
 */
export function doneWords(
  site: Names,
  question: Elicitation,
  { person, connections }: Omit<HistorySource, "questions">,
): string | undefined {
  if (question.status !== "completed") return undefined
  const personName = nameOf(question, person)
  const about = readContext(question)
  if (about !== undefined)
    return connectWords(site, { personName, about, connection: connectedBy(question, connections) })
  const words = buttonLabelOf(question)
  return words === undefined ? undefined : `${personName} said “${words}”`
}

/** Returns “You” for the reading person. Other people are not named, because their ids belong only in the trail. */
const nameOf = ({ answeredBy }: Elicitation, person: PrincipalId): string =>
  answeredBy !== undefined && isSamePerson(answeredBy, person) ? "You" : "Another person"

function endWords(question: Elicitation, personName: string, about: string): string {
  const asker = question.requester.name ?? question.requester.id
  switch (question.status) {
    case "completed":
      return question.mode === "url" ? `${personName} did what ${about} asked for` : `${personName} answered ${about}`
    case "declined":
      return `${personName} declined ${about}`
    case "cancelled":
      if (question.answeredBy !== undefined) return `${personName} cancelled ${about}`
      return question.reason?.code === "asker_gone"
        ? `${asker} stopped waiting for an answer to ${about}`
        : `${asker} withdrew ${about}`
    case "expired":
      return `${about} was not ${question.acceptedAt === undefined ? "answered" : "finished"} in time`
    case "failed":
      return `${about} did not work`
    case "unsupported":
      return `${about} could not be shown to you`
    case "pending":
    case "accepted":
      return `${about} is open`
  }
}

interface ConnectedAccount {
  readonly personName: string
  readonly about: ConnectContext
  /** The connection that resulted from the question. Undefined when it is not known, as after another connect. */
  readonly connection: Connection | undefined
}

function connectWords({ vault }: Names, { personName, about, connection }: ConnectedAccount): string {
  const provider = vault.providers.get(about.provider)?.name ?? about.provider
  const project = about.owner.kind === "project" ? ` for the project ${about.owner.project}` : ""
  if (about.reason === "more_scopes" && about.connection !== undefined)
    return `${personName} allowed more at ${provider}${asAccount(connection)}${project}`
  return `${personName} connected ${provider}${asAccount(connection)}${project}`
}

const asAccount = (connection: Connection | undefined): string =>
  connection?.account === undefined ? "" : ` as ${connection.account.name ?? connection.account.id}`

/**
 * Finds the connection that resulted from a question: the connection that the question names, or the one that began
 * while the question was open.
 */
function connectedBy(question: Elicitation, connections: readonly Connection[]): Connection | undefined {
  const about = question.status === "completed" ? readContext(question) : undefined
  if (about === undefined) return undefined
  const { acceptedAt = question.createdAt, settledAt = question.createdAt } = question
  const isInTime = ({ activatedAt = 0 }: Connection): boolean => activatedAt >= acceptedAt && activatedAt <= settledAt
  return connections.find((one) => isAboutConnection(about, one) && (one.id === about.connection || isInTime(one)))
}

function detailOf({ requester, client, answeredBy, answeredVia, reason, status }: Elicitation): string {
  const askedWords = `Asked by ${requester.name ?? requester.id}`
  const surface =
    answeredBy === undefined || answeredVia === undefined ? "" : `, answered ${viaWords(answeredVia, client)}`
  const reasonText =
    status === "declined" && reason?.message !== undefined ? ` Reason: “${shorten(reason.message)}”` : ""
  return `${askedWords}${surface}.${reasonText}`
}

interface EventContext {
  readonly person: PrincipalId
  /** Whether a question in the same history already mentions the connection. */
  readonly isListed: boolean
}

function toEvents(
  { vault }: Names,
  connection: Connection,
  { person, isListed }: EventContext,
): readonly HistoryView[] {
  const { provider, account, activatedAt, endedAt, status } = connection
  const name = vault.providers.get(provider)?.name ?? provider
  const personName = isSamePerson(connection.connectedBy, person) ? "You" : "Another person"
  const accountDetail = account === undefined ? {} : { detail: account.name ?? account.id }
  return [
    ...(activatedAt === undefined || isListed
      ? []
      : [{ at: activatedAt, words: `${personName} connected ${name}${asAccount(connection)}` }]),
    ...(status === "revoked" && endedAt !== undefined
      ? [{ at: endedAt, words: `${name} was disconnected`, ...accountDetail }]
      : []),
  ]
}
