// The targets. Each applies to one result; a target without a measured result is neither met nor missed.

import { cheapFsyncMs } from "./disk.ts"
import type { Result } from "./result.ts"

export interface Target {
  readonly name: string
  /** The value itself, or its ratio to the baseline. */
  readonly of: "value" | "ratio"
  readonly atMost?: number
  readonly atLeast?: number
}

const few = 1_000
const many = 100_000
const linear = many / few
const settled = 1_000_000

export const targets: readonly Target[] = [
  { name: "disk/fsync", of: "value", atLeast: cheapFsyncMs },
  { name: "sqlite/round-trips/c1", of: "ratio", atLeast: 0.5 },
  { name: "sqlite/round-trips/c256", of: "ratio", atLeast: 4 },
  { name: "postgres/round-trips/c1", of: "ratio", atLeast: 0.5 },
  { name: "postgres/round-trips/c256", of: "ratio", atLeast: 6 },
  ...["memory", "sqlite", "postgres"].flatMap((engine): readonly Target[] => [
    { name: `${engine}/heap/${many}`, of: "value", atMost: 2_048 },
    { name: `${engine}/idle/${many}`, of: "value", atMost: 0.5 },
    { name: `${engine}/wake/${many}/p50`, of: "value", atMost: 2 },
    { name: `${engine}/wake/${many}/p99`, of: "value", atMost: 20 },
    { name: `${engine}/growth/${many}/heap`, of: "value", atLeast: 0, atMost: linear },
    { name: `${engine}/growth/${many}/wake`, of: "value", atMost: linear },
    { name: `${engine}/growth/${many}/round-trip`, of: "value", atMost: linear },
  ]),
  { name: "sqlite/agents/tokens/paced-2000", of: "ratio", atLeast: 0.9 },
  { name: "sqlite/agents/answer-to-token/p50", of: "value", atMost: 15 },
  { name: "sqlite/agents/waiting/1000/rss", of: "value", atMost: 60 },
  { name: "sqlite/people/ask/c16/http", of: "ratio", atLeast: 0.5 },
  { name: "sqlite/people/ask/c16/sockets", of: "ratio", atLeast: 0.5 },
  { name: "sqlite/people/waiting/10000/rss", of: "ratio", atMost: 1.9 },
  { name: "sqlite/people/slack/answer-to-program/p50", of: "value", atMost: 20 },
  { name: "sqlite/a2a/task/c16", of: "ratio", atLeast: 0.8 },
  ...["sqlite", "postgres"].flatMap((engine): readonly Target[] => [
    { name: `${engine}/settled/${settled}/sweep`, of: "value", atMost: 20 },
    { name: `${engine}/settled/${settled}/open-list`, of: "value", atMost: 2 },
    ...["c1", "c16", "c256"].map(
      (rate): Target => ({ name: `${engine}/settled/${settled}/${rate}`, of: "ratio", atLeast: 0.8 }),
    ),
  ]),
  { name: "sqlite/cross-process/p99", of: "value", atMost: 100 },
  { name: "sqlite/cross-process/missed", of: "value", atMost: 0 },
  { name: "postgres/cross-process/p99", of: "value", atMost: 50 },
  { name: "postgres/cross-process/missed", of: "value", atMost: 0 },
  ...["memory", "sqlite", "postgres"].flatMap((engine): readonly Target[] => [
    { name: `${engine}/call/more/p50`, of: "value", atMost: 50 },
    { name: `${engine}/page/connect/p50`, of: "value", atMost: 5 },
  ]),
  ...["memory", "sqlite", "postgres"].flatMap((engine): readonly Target[] => [
    { name: `${engine}/mcp/modern/connected`, of: "ratio", atLeast: 0.92 },
    { name: `${engine}/mcp/legacy/connected`, of: "ratio", atLeast: 0.92 },
    ...["modern-form", "modern-url", "legacy-form"].map(
      (kind): Target => ({ name: `${engine}/mcp/answer/${kind}/p50`, of: "value", atMost: 10 }),
    ),
  ]),
  ...["modern", "legacy"].flatMap((era): readonly Target[] => [
    { name: `sqlite/mcp/held/2000/${era}/more`, of: "value", atMost: 8_192 },
    { name: `sqlite/mcp/held/2000/${era}/timers`, of: "value", atMost: 0.01 },
  ]),
  ...["nc_notes_get_note", "nc_notes_list_notes", "nc_files_list_directory"].flatMap((tool): readonly Target[] =>
    ["modern", "legacy"].map((era) => ({
      name: `nextcloud/calls/c32/${tool}/${era}/connected`,
      of: "ratio",
      atLeast: 0.9,
    })),
  ),
  { name: "nextcloud/start/ours", of: "ratio", atMost: 1.6 },
  { name: "start/page", of: "ratio", atMost: 40 },
  { name: "start/notes", of: "ratio", atMost: 80 },
  { name: "start/first-connection", of: "ratio", atMost: 5 },
  { name: "shell/continued/p50", of: "value", atMost: 10 },
  { name: "shell/answer/p50", of: "value", atMost: 10 },
  { name: "shell/noticed/p50", of: "value", atMost: 20 },
  { name: "shell/call/more/p50", of: "value", atMost: 5 },
  { name: "nextcloud/rss/ours", of: "ratio", atMost: 1.6 },
  { name: "nextcloud/list/all", of: "value", atMost: 40_000 },
  { name: "nextcloud/list/default", of: "value", atMost: 15_000 },
  { name: "nextcloud/list/notes,calendar,contacts", of: "value", atMost: 9_000 },
  { name: "nextcloud/list/notes,files,calendar", of: "value", atMost: 9_000 },
  { name: "sqlite/rewrap", of: "value", atLeast: 1_000 },
  { name: "postgres/rewrap", of: "value", atLeast: 1_000 },
]

export function targetOf(result: Result): Target | undefined {
  return targets.find(({ name }) => name === result.name)
}

export function isMet(target: Target, result: Result): boolean {
  const measured = target.of === "value" ? result.value : (result.ratio ?? Number.NaN)
  return measured <= (target.atMost ?? Number.POSITIVE_INFINITY) && measured >= (target.atLeast ?? -Infinity)
}
