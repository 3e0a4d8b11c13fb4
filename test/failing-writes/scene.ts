// A story in which one write of the storage fails, and how it must end: the effect is done once or not at all, the person
// and the model read the truth, and nothing is left that nothing continues.

import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"
import { type Call, callKind, entryKind } from "../../packages/calls/src/records.ts"
import type { FailingStorage, Failure } from "../across/hub/stores/failing.ts"

export interface Played {
  /** How often the effect was done. */
  readonly effects: number
  /** What the person, or the client of a tool, reads at the end. */
  readonly told: string
  /** Whether everything has ended. */
  readonly isOver: boolean
}

export interface Scene {
  readonly name: string
  /** Starts the server, calls `begin` when it is up, plays the story, and closes the server. */
  play(storage: FailingStorage["storage"], begin: () => void): Promise<Played>
}

export interface Outcome {
  readonly scene: string
  readonly engine: string
  readonly failure: Failure
  /** The number of the commit that failed, and what it wrote. */
  readonly number: number
  readonly place: string
  readonly end: string
  /** What must not be, in words. Undefined if the end is right. */
  readonly fault: string | undefined
}

/** Plays the scene with one failure. Undefined when the scene has fewer commits. */
export async function playWith(
  scene: Scene,
  { open, engine }: { readonly open: () => Promise<FailingStorage>; readonly engine: string },
  { number, failure }: { readonly number: number; readonly failure: Failure },
): Promise<Outcome | undefined> {
  const failing = await open()
  try {
    const played = await endWithin(scene.play(failing.storage, () => failing.failAt(number, failure)))
    const content = failing.commits()[number - 1]
    if (content === undefined && number > 0) return undefined
    const left = await leftCalls(failing)
    const { end, fault } = judge(played, left)
    return { scene: scene.name, engine, failure, number, place: content ?? "none", end, fault }
  } finally {
    await failing.close()
  }
}

/** A story that takes longer than this never ends: it takes less than a second. */
const longestMs = 20_000

async function endWithin(playing: Promise<Played>): Promise<Played> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Played>((resolve) => {
    timer = setTimeout(() => resolve({ effects: 0, told: "nothing", isOver: false }), longestMs)
  })
  return Promise.race([playing, late]).finally(() => clearTimeout(timer))
}

/** What the effect says when it was done, and the only words by which anybody learns that it was. */
export const receipt = "receipt 4711"

function judge({ effects, told, isOver }: Played, left: readonly string[]): Pick<Outcome, "end" | "fault"> {
  const isTold = told.includes(receipt)
  const end = `${effects === 0 ? "not done" : effects === 1 ? "done" : `done ${effects} times`}, ${isTold ? "told that it was done" : `told “${told}”`}`
  const faults = [
    ...(effects > 1 ? ["the effect was done more than once"] : []),
    ...(isTold !== effects > 0 ? ["what was told is not true"] : []),
    ...(isOver ? [] : ["the story did not end"]),
    ...(left.length === 0 ? [] : [`left in the store: ${left.join(", ")}`]),
  ]
  return { end, fault: faults.length === 0 ? undefined : faults.join("; ") }
}

async function leftCalls({ storage }: FailingStorage): Promise<readonly string[]> {
  const list = async <R extends KeptRecord>(kind: RecordKind<R>) => {
    const lists = await Promise.all(
      ["acme", "local"].map((tenant) => storage.records(kind).list({ tenant, limit: 50 })),
    )
    return lists.flat()
  }
  const [calls, entries] = await Promise.all([list(callKind), list(entryKind)])
  return [...calls.filter((call) => !isAnswered(call)), ...entries].map(({ id }) => id)
}

/** Whether the call is only kept so that its client, which may have lost the answer, gets the answer once more. */
export const isAnswered = ({ lease, knownBy, kind, sealed }: Call): boolean =>
  lease === undefined && knownBy === undefined && kind === undefined && sealed?.fields.answer !== undefined

/** Waits until this holds. False if it does not within some seconds. */
export async function untilOver(isOver: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 5_000; Date.now() < end; ) {
    if (await isOver()) return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return false
}

/** Does it again while the server says that it cannot reach its database. */
export async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!String(error).includes("cannot reach its database")) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** The table of places × ends, one line for each place of each scene. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = Map.groupBy(outcomes, ({ scene, place }) => `| ${scene} | ${place} |`)
  const lines = [...rows].map(([row, some]) => {
    const ends = Map.groupBy(some, ({ end }) => end)
    return `${row} ${[...ends].map(([end, same]) => `${same.length} × ${end}`).join("; ")} |`
  })
  return ["| scene | what the failed commit wrote | ends |", "| --- | --- | --- |", ...lines].join("\n")
}
