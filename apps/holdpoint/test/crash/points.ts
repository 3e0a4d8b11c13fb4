// Points at which a process can be killed between the provider's answer and the finished question, each named by the write
// before or after it.

import type { Connection } from "@holdpoint/accounts"
import type { Elicitation, Storage } from "@holdpoint/hub"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { connectionKind, flowKind } from "@holdpoint/testkit/records"

type Flow = Parameters<typeof flowKind.owner>[0]

/** A write that the storage is about to make, or has made. */
export type Write =
  | { readonly to: "flows"; readonly verb: "insert" | "replace" | "remove"; readonly record: Flow }
  | { readonly to: "connections"; readonly verb: "insert" | "replace" | "remove"; readonly record: Connection }
  | { readonly to: "store"; readonly verb: "replace"; readonly record: Elicitation }

export interface Point {
  readonly when: "before" | "after"
  readonly is: (write: Write) => boolean
}

const flowIs =
  (fits: (flow: Flow) => boolean) =>
  (write: Write): boolean =>
    write.to === "flows" && write.verb === "replace" && fits(write.record)

const connectionIs =
  (verb: Write["verb"], fits: (connection: Connection) => boolean) =>
  (write: Write): boolean =>
    write.to === "connections" && write.verb === verb && fits(write.record)

export const points = {
  "the answer was taken, and before its code is redeemed": {
    when: "after",
    is: flowIs(({ status }) => status === "exchanging"),
  },
  "the code was redeemed, and before the grant is stored": {
    when: "before",
    is: connectionIs("insert", () => true),
  },
  "the grant was stored as pending": { when: "after", is: connectionIs("insert", () => true) },
  "the flow was noted as exchanged": {
    when: "after",
    is: flowIs(({ status, account }) => status === "exchanged" && account === undefined),
  },
  "the account became known": {
    when: "after",
    is: flowIs(({ status, account }) => status === "exchanged" && account !== undefined),
  },
  "the connection became usable, and before its question is completed": {
    when: "after",
    is: connectionIs("replace", ({ status }) => status === "active"),
  },
  "the question was completed, and before its flow is finished": {
    when: "after",
    is: (write) => write.to === "store" && write.record.status === "completed",
  },
  "it was noted which connection takes the new grant over": {
    when: "after",
    is: flowIs(({ status, replaces }) => status === "exchanged" && replaces !== undefined),
  },
  "the new grant was taken over": {
    when: "after",
    is: connectionIs("replace", ({ mergedFrom }) => mergedFrom !== undefined),
  },
  "the pending grant was removed": { when: "after", is: connectionIs("remove", () => true) },
} satisfies Record<string, Point>

export type PointName = keyof typeof points

/** The same storage, which kills its process at this point. */
export function killAt(storage: Storage, { when, is }: Point): Storage {
  const around = async <T>(write: Write, make: () => Promise<T>): Promise<T> => {
    if (!is(write)) return make()
    if (when === "after") await make()
    process.kill(process.pid, "SIGKILL")
    return new Promise<never>(() => {})
  }
  const { store } = storage
  const replace: typeof store.replace = (record, entry) =>
    around({ to: "store", verb: "replace", record }, () => store.replace(record, entry))
  const withFlows = overriding({ ...storage, store: { ...store, replace } }, flowKind, (flows) => ({
    replace: (record, entry) => around({ to: "flows", verb: "replace", record }, () => flows.replace(record, entry)),
  }))
  return overriding(withFlows, connectionKind, (connections) => ({
    insert: (record, entry) =>
      around({ to: "connections", verb: "insert", record }, () => connections.insert(record, entry)),
    replace: (record, entry) =>
      around({ to: "connections", verb: "replace", record }, () => connections.replace(record, entry)),
    remove: (record, entry) =>
      around({ to: "connections", verb: "remove", record }, () => connections.remove(record, entry)),
  }))
}
