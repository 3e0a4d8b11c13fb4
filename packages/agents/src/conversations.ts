// Conversations and their runs in the store: who may see them, which run is under way, and the prompt for the model.
// Conversation ids are separate for each person: two people can use the same id.

import { createHash } from "node:crypto"
import type { Principal, PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { NewEntry } from "@holdpoint/hub/storage"
import type { ModelMessage, UIMessage } from "ai"
import type { Conversation, Run } from "./records.ts"
import { conversationKind, hasEnded, runKind } from "./records.ts"
import { begunCode, runEntry, stopCode } from "./run-entries.ts"
import { listAll } from "./run-log.ts"
import { createSealedText } from "./sealed-records.ts"

export interface Conversations {
  /** The person's conversation of this name, if they have one. */
  find(person: PrincipalId, name: string): Promise<Conversation | undefined>
  /** All conversations of the person. */
  list(person: PrincipalId): Promise<readonly Conversation[]>
  /** The id of the person's conversation of this name, even if the conversation does not exist yet. */
  idOf(person: PrincipalId, name: string): string
  /**
   * Prepares a run, and the conversation if it is new. Returns undefined when another run is under way. `known` avoids a
   * second read: pass what was read before, with a last run that has ended.
   */
  prepare(beginning: RunBeginning, known?: KnownConversation): Promise<PreparedRun | undefined>
  /** Prepares a run and stores it. Returns undefined when another run is under way. */
  begin(beginning: RunBeginning, known?: KnownConversation): Promise<Run | undefined>
  get(run: string): Promise<Run | undefined>
  /** Runs that have not ended, and whose status has not changed for a while before this time. */
  lost(before: number): Promise<readonly Run[]>
  /** The runs of a conversation, in order. */
  runs(conversation: Pick<Conversation, "id" | "tenant">): Promise<readonly Run[]>
  /** The last run of a conversation. */
  last(conversation: Pick<Conversation, "id" | "tenant">): Promise<Run | undefined>
  /** The messages of earlier runs and the person's message in this one, for the model. */
  prompt(run: Run): Promise<readonly ModelMessage[]>
  /** The person's message of a run, in its original form. */
  message(run: Run): UIMessage
  /**
   * Changes a run by compare-and-set. A run that is passed as an object is read again only if it has changed since.
   * Returns undefined when `change` returns undefined, or when the run no longer exists.
   */
  change(
    run: string | Run,
    change: (run: Run) => Run | undefined,
    reply?: readonly ModelMessage[],
  ): Promise<Run | undefined>
}

export interface PreparedRun {
  readonly run: Run
  /** Stores the run. Resolves to false when another request was faster. */
  store(): Promise<boolean>
}

export interface RunBeginning {
  readonly person: Principal
  readonly name: string
  readonly agent: string
  /** The person's message, in its original form and as the model reads it. */
  readonly message: UIMessage
  readonly prompt: readonly ModelMessage[]
  /** Whether another call than the run's own does its work. */
  readonly isPartOfCall?: true | undefined
}

/** A conversation and its last run, before a new run begins. Both are undefined for a new conversation. */
export interface KnownConversation {
  readonly conversation: Conversation | undefined
  readonly last: Run | undefined
}

export interface ConversationsParts {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
  /** How long a conversation is stored after its last message. */
  readonly keptMs: number
}

export { hasEnded } from "./records.ts"

/** The most runs that one look for lost runs returns. */
const mostLost = 1_000

/** A key for a person: the digest of tenant, issuer and subject. */
export const personKey = ({ tenant, issuer, subject }: PrincipalId): string => digest([tenant, issuer, subject])

const digest = (parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")

/**
 * The trail entry for a change that other processes need: a new status wakes readers, and a requested stop reaches the
 * process that works on the run. Undefined for other changes.
 */
function statusEntry(current: Run, next: Run, at: number): NewEntry | undefined {
  if (next.status !== current.status) return runEntry(next, next.status, at)
  return next.isStopRequested === current.isStopRequested ? undefined : runEntry(next, stopCode, at)
}

export function createConversations({ storage, sealer, runtime, keptMs }: ConversationsParts): Conversations {
  const conversations = storage.records(conversationKind)
  const records = storage.records(runKind)
  const texts = createSealedText(sealer, runKind)

  const idOf = ({ tenant, issuer, subject }: PrincipalId, name: string): string =>
    digest([tenant, issuer, subject, name])
  const runs: Conversations["runs"] = ({ id, tenant }) =>
    listAll((page) => records.list({ tenant, owner: id, ...page }))

  const change: Conversations["change"] = async (run, toChanged, reply) => {
    const current = typeof run === "string" ? await records.get(run) : run
    const changedRun = current === undefined ? undefined : toChanged(current)
    if (current === undefined || changedRun === undefined) return undefined
    const sealedRun = reply === undefined ? changedRun : texts.seal(changedRun, { ...texts.open(current), reply })
    const statusAt = sealedRun.status === current.status ? {} : { statusAt: runtime.now() }
    const next = { ...sealedRun, ...statusAt, version: current.version + 1 }
    const isChanged = await records.replace(next, statusEntry(current, next, runtime.now()))
    return isChanged ? next : change(current.id, toChanged, reply)
  }

  const find: Conversations["find"] = (person, name) => conversations.get(idOf(person, name))
  const last: Conversations["last"] = async (conversation) => (await runs(conversation)).at(-1)

  const findKnown = async ({ person, name }: RunBeginning): Promise<KnownConversation> => {
    const conversation = await find(person, name)
    return { conversation, last: conversation === undefined ? undefined : await last(conversation) }
  }

  const touch = async ({ person, name, agent }: RunBeginning, existing: Conversation | undefined): Promise<void> => {
    const id = idOf(person, name)
    const now = runtime.now()
    const newConversation = { id, tenant: person.tenant, name, owner: personKey(person), agent, createdAt: now }
    const next = { ...(existing ?? newConversation), version: (existing?.version ?? 0) + 1, expiresAt: now + keptMs }
    // A false result means that a concurrent request made the same change.
    await (existing === undefined ? conversations.insert(next) : conversations.replace(next))
  }

  const prepare: Conversations["prepare"] = async (beginning, knownConversation) => {
    const { person, name, agent, message, prompt, isPartOfCall } = beginning
    const { tenant, issuer, subject } = person
    const conversation = idOf(person, name)
    const state = knownConversation ?? (await findKnown(beginning))
    const { last } = state
    if (last !== undefined && !hasEnded(last)) return undefined
    const number = (last?.number ?? 0) + 1
    const now = runtime.now()
    const run: Run = {
      ...{
        id: `${conversation}.${String(number).padStart(6, "0")}`,
        tenant,
        version: 1,
        conversation,
        number,
        agent,
      },
      person: { tenant, issuer, subject },
      message: runtime.newId(),
      status: "running",
      statusAt: now,
      createdAt: now,
      expiresAt: now + keptMs,
      isPartOfCall,
    }
    return {
      run,
      async store() {
        const insert = records.insert(texts.seal(run, { message, prompt }), runEntry(run, begunCode, now))
        const [isFirst] = await Promise.all([insert, touch(beginning, state.conversation)])
        return isFirst
      },
    }
  }

  return {
    find,
    list: (person) =>
      listAll((page) => conversations.list({ tenant: person.tenant, owner: personKey(person), ...page })),
    idOf,
    get: (run) => records.get(run),
    runs,
    last,
    message: (run) => texts.open(run, ["message"]).message as UIMessage,
    change,
    async begin(beginning, knownConversation) {
      const prepared = await prepare(beginning, knownConversation)
      return prepared !== undefined && (await prepared.store()) ? prepared.run : undefined
    },
    prepare,
    lost: (before) => records.list({ dueBefore: before, limit: mostLost }),
    async prompt(run) {
      const isFirst = run.number === 1 && run.sealed !== undefined
      const runsSoFar = isFirst ? [run] : await runs({ id: run.conversation, tenant: run.tenant })
      return runsSoFar
        .filter(({ number, isReplaced }) => number <= run.number && isReplaced !== true)
        .flatMap((one) => {
          const { prompt = [], reply = [] } = texts.open(one, one.id === run.id ? ["prompt"] : ["prompt", "reply"])
          return [...(prompt as ModelMessage[]), ...(reply as ModelMessage[])]
        })
    },
  }
}
