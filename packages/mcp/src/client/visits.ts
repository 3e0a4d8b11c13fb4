// Tracks the pages to which servers send people, and the servers' notifications that a person has finished there.
// Notifications are optional, reach this process only, and are ignored for links that it does not track.

import type { Hub } from "@holdpoint/hub"

export interface Visits {
  /**
   * Cancels the question that asks whether the person has finished, as soon as the server has notified that all these
   * links are done.
   */
  cancelWhenDone(links: readonly string[], check: DoneCheck): void
  /** Begins to track these links. Returns whether the server has notified that all of them are done. */
  trackAndCheck(links: readonly string[]): boolean
  forget(links: readonly string[]): void
  /** Called with the id of a link that the server reports as done. */
  onCompleted(link: string): void
}

export interface DoneCheck {
  readonly hub: Pick<Hub, "cancel">
  /** The id of the question that asks whether the person has finished. */
  readonly question: string
  readonly report: (activity: string, error: unknown) => void
}

/** The reason of a question that was cancelled because the server notified that the person has finished. */
export const serverFinished = { code: "finished", message: "the server reported that it is done" }

/** The most tracked links. Beyond this, the oldest links are removed, because their runs may never be resumed. */
const mostLinks = 1_000

export function createVisits(): Visits {
  const finishedLinks = new Map<string, boolean>()
  const groups = new Map<string, { readonly links: readonly string[]; readonly check: DoneCheck }>()
  const areDone: Visits["trackAndCheck"] = (links) => links.every((link) => finishedLinks.get(link) === true)
  const forget: Visits["forget"] = (links) => {
    for (const link of links) {
      finishedLinks.delete(link)
      groups.delete(link)
    }
  }
  return {
    trackAndCheck(links) {
      for (const link of links) if (!finishedLinks.has(link)) finishedLinks.set(link, false)
      for (const oldest of finishedLinks.keys()) {
        if (finishedLinks.size <= mostLinks) break
        forget([oldest])
      }
      return areDone(links)
    },
    cancelWhenDone(links, check) {
      for (const link of links) groups.set(link, { links, check })
    },
    forget,
    onCompleted(link) {
      if (!finishedLinks.has(link)) return
      finishedLinks.set(link, true)
      const group = groups.get(link)
      if (group === undefined || !areDone(group.links)) return
      const { hub, question, report } = group.check
      hub.cancel(question, serverFinished).catch((error: unknown) => report("ending a question that is done", error))
    },
  }
}
