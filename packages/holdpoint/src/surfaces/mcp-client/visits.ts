// The pages that servers sent people to, and the servers' notices that it is done there. Notices are optional, come to
// this process only, and may name nothing that this process does not wait for.

import type { Hub } from "../../hub/hub.ts"

export interface Visits {
  /** Waits for notices about these links, whose question asks the person whether they have finished. */
  watch(links: readonly string[], waiting: Waiting): void
  /** Whether the server has told of all of them that they are done. */
  areDone(links: readonly string[]): boolean
  forget(links: readonly string[]): void
  /** A notice of the server. */
  onCompleted(link: string): void
}

export interface Waiting {
  readonly hub: Pick<Hub, "cancel">
  /** The question whether the person has finished. */
  readonly question: string
  readonly report: (doing: string, error: unknown) => void
}

/** The reason of a question that the server's notice made superfluous. */
export const finished = { code: "finished", message: "the server told that it is done" }

/** The most links whose notices are waited for: of runs that are never resumed, the oldest are forgotten. */
const mostLinks = 1_000

export function createVisits(): Visits {
  const done = new Map<string, boolean>()
  const groups = new Map<string, { readonly links: readonly string[]; readonly waiting: Waiting }>()
  const areDone: Visits["areDone"] = (links) => links.every((link) => done.get(link) === true)
  const forget: Visits["forget"] = (links) => {
    for (const link of links) {
      done.delete(link)
      groups.delete(link)
    }
  }
  return {
    areDone(links) {
      for (const link of links) if (!done.has(link)) done.set(link, false)
      const [oldest] = done.keys()
      if (done.size > mostLinks && oldest !== undefined) forget([oldest])
      return areDone(links)
    },
    watch(links, waiting) {
      for (const link of links) groups.set(link, { links, waiting })
    },
    forget,
    onCompleted(link) {
      if (!done.has(link)) return
      done.set(link, true)
      const group = groups.get(link)
      if (group === undefined || !areDone(group.links)) return
      const { hub, question, report } = group.waiting
      hub.cancel(question, finished).catch((error: unknown) => report("ending a question that is done", error))
    },
  }
}
