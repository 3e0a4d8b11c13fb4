// Tool calls per second over HTTP, from a client through a server to the stand-in: ours with the caller's connected
// account, compared with a bare one. Client, server and stand-in have a process each.

import { isDeepStrictEqual } from "node:util"
import type { Area, Bench } from "../bench.ts"
import { startChild } from "../child.ts"
import { newStoreLocation, removeStoreLocation } from "../core/store-locations.ts"
import { check, compared } from "../mcp/calls.ts"
import { callLegacy, callModern, type Endpoint, initialize, resultOf, type ToolCall } from "../mcp/client.ts"
import { interleave, ratePerSecond } from "../measure.ts"
import type { Result } from "../result.ts"
import type { ServerCommands } from "./server-child.ts"
import type { Cloud, StandInCommands } from "./stand-in-child.ts"

const callsOf = ({ note }: Cloud): readonly ToolCall[] => [
  { name: "nc_notes_get_note", arguments: { note_id: note } },
  { name: "nc_notes_list_notes", arguments: {} },
  { name: "nc_files_list_directory", arguments: {} },
]

export const measureCalls: Area = async (bench) => {
  const location = await newStoreLocation(bench, "sqlite")
  const standIn = startChild<StandInCommands>(new URL("./stand-in-child.ts", import.meta.url).pathname)
  const server = startChild<ServerCommands>(new URL("./server-child.ts", import.meta.url).pathname)
  try {
    const cloud = await standIn.call("open", undefined)
    const { bare, ours } = await server.call("open", { location, cloud })
    const sides = {
      bare: { at: bare, session: await initialize(bare) },
      ours: { at: ours, session: await initialize(ours) },
    }
    const results: Result[] = []
    for (const call of callsOf(cloud)) {
      await assertSame(sides, call)
      for (const concurrency of bench.sizes.toolConcurrencies)
        results.push(...(await compare(bench, sides, call, concurrency)))
    }
    return results
  } finally {
    await server.stop()
    await standIn.stop()
    await removeStoreLocation(location)
  }
}

interface Side {
  readonly at: Endpoint
  readonly session: string | null
}

type Sides = Readonly<Record<"bare" | "ours", Side>>

/** Asserts that both servers return the same content, so that the comparison is fair. */
async function assertSame({ bare, ours }: Sides, call: ToolCall): Promise<void> {
  const results = await Promise.all([bare, ours].map(async ({ at }) => resultOf(await callModern(at, call))))
  const [expected, actual] = results.map(({ structuredContent }) => structuredContent)
  if (expected === undefined || !isDeepStrictEqual(expected, actual))
    throw new Error(`${call.name} does not return the same on both servers.`)
}

async function compare(
  bench: Bench,
  { bare, ours }: Sides,
  call: ToolCall,
  concurrency: number,
): Promise<readonly Result[]> {
  const { sliceMs, rounds } = bench.sizes
  const rate = (work: () => Promise<Response>) => () =>
    ratePerSecond(() => work().then(check), { concurrency, ms: sliceMs })
  const variants = {
    modernBare: rate(() => callModern(bare.at, call)),
    modern: rate(() => callModern(ours.at, call)),
    legacyBare: rate(() => callLegacy(bare.at, bare.session, call)),
    legacy: rate(() => callLegacy(ours.at, ours.session, call)),
  }
  await interleave(variants, 1, () => {})
  const values = await interleave(variants, rounds, (round) =>
    bench.progress(`${call.name}, ${concurrency} at once, round ${round} of ${rounds}`),
  )
  const name = `nextcloud/calls/c${concurrency}/${call.name}`
  return [
    ...compared(`${name}/modern`, values.modern, values.modernBare),
    ...compared(`${name}/legacy`, values.legacy, values.legacyBare),
  ]
}
