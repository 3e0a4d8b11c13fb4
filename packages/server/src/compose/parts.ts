// Opens the parts of a server when its hub exists, and closes them in the opposite order.

import type { Hub } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Mount, Rung } from "@holdpoint/hub/internal"
import type { DirectorySource, LastingOutlet } from "@holdpoint/hub/outlets"
import type { PageParts } from "../http/site.ts"
import type { OpenPart, Part, PartServer } from "./part.ts"
import type { Site } from "./result.ts"

/** The parts of one server. They are open once `open` was called, with the hub. */
export interface Parts {
  /** Opens all parts and returns their outlets. Throws the error of the first part that cannot be opened. */
  open(hub: Hub): readonly LastingOutlet[]
  /** Finds people by the directories of the parts that are open. */
  readonly directory: DirectorySource
  readonly pages: readonly PageParts[]
  /** The delays of the parts' outlets without a ladder. */
  readonly rungs: readonly Rung[]
  mount(site: Site): Promise<readonly Mount[]>
  start(): void
  close(): Promise<void>
}

export function createParts(parts: readonly Part[], server: Omit<PartServer, "hub">): Parts {
  assertDifferent(parts)
  const opened: OpenPart[] = []
  const pages: PageParts[] = []
  const sources = (): readonly DirectorySource[] => opened.flatMap(({ directory }) => directory ?? [])
  const close = async (): Promise<void> => {
    for (const part of opened.toReversed()) await part.close?.()
  }
  return {
    pages,
    rungs: parts.flatMap(({ name, delayMs }) => (delayMs === undefined ? [] : [{ outlet: name, afterMs: delayMs }])),
    directory: {
      addresses: async (kind, person) =>
        (await Promise.all(sources().map((source) => source.addresses(kind, person)))).flat(),
      people: async (tenant, role) =>
        (await Promise.all(sources().map((source) => source.people(tenant, role)))).flat(),
    },
    open(hub) {
      try {
        for (const part of parts) {
          const open = part.open({ ...server, hub })
          const { pages: ownPages = [], accountSection } = open
          opened.push(open)
          pages.push({ name: part.name, title: part.title ?? part.name, pages: ownPages, accountSection })
        }
      } catch (error) {
        // `createHub` calls this and never returns now, so the hub is closed here.
        close()
          .then(() => hub.close())
          .catch((problem: unknown) => server.report("closing a server that could not start", problem))
        throw error
      }
      return opened.flatMap(({ outlet }) => outlet ?? [])
    },
    async mount(site) {
      const mounts: Mount[] = []
      for (const { mount } of opened) if (mount !== undefined) mounts.push(await mount(site))
      return mounts
    },
    start() {
      for (const { start } of opened) start?.()
    },
    close,
  }
}

function assertDifferent(parts: readonly Part[]): void {
  const names = parts.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated === undefined) return
  throw new HoldpointError("invalid_config", `Two parts of this server have the name “${repeated}”. Give each its own.`)
}
