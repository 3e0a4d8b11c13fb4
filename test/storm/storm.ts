// One storm: starts everything, lets the actors and faults run, waits until it is quiet, and compares what is known.

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pass } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { createSealer, parseKeyRing, serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { startMailServer } from "@holdpoint/testkit/email/mail-server"
import { freePort } from "@holdpoint/testkit/free-port"
import { programAt } from "@holdpoint/testkit/programs"
import { a2a } from "./actors/a2a.ts"
import { chat } from "./actors/chat.ts"
import { mcp } from "./actors/mcp.ts"
import { programs as programsActor } from "./actors/programs.ts"
import { mention, press } from "./actors/slack.ts"
import { type Engine, openDatabase, type StormDatabase } from "./database.ts"
import type { Facts, Finding } from "./facts.ts"
import { blow, type FaultName, type FaultParts } from "./faults.ts"
import { createHistory, type History } from "./history.ts"
import { openLedger } from "./ledger.ts"
import { mailFacts } from "./mail.ts"
import { command, createNodes } from "./nodes.ts"
import { openPeople, subjects } from "./people.ts"
import { addPrograms } from "./programs.ts"
import { openProxy } from "./proxy.ts"
import { createRandom } from "./random.ts"
import { readStore } from "./read-store.ts"
import { isQuiet, reconcile } from "./reconcile.ts"
import { type StormSettings, settingsVariable } from "./settings.ts"
import { linkAccounts, openSlackWorld, slackEnvironment, slackFacts } from "./slack.ts"
import { traceOf } from "./traces.ts"
import type { Actor, World } from "./world.ts"
import { linger } from "./world.ts"

export interface StormOptions {
  readonly engine: Engine
  readonly seconds: number
  readonly seed: number
  readonly faults: readonly FaultName[]
  readonly nodes?: number | undefined
  /** What has to happen, as often: while it has not, the storm goes on, for at most three times as long. */
  readonly least?: Readonly<Record<string, number>> | undefined
  /** How long everything that is under way may take after the last fault. */
  readonly quietSeconds?: number | undefined
  readonly progress?: ((words: string) => void) | undefined
}

export interface StormReport {
  readonly seed: number
  readonly engine: Engine
  readonly counts: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** What the database, the clients and the ledger know about the questions that the findings name. */
  readonly traces: readonly string[]
  /** Faults that this machine or database does not allow, in words. */
  readonly skipped: readonly string[]
}

/** The actors, each as often as it acts at the same time. */
const cast: readonly (readonly [Actor, number])[] = [
  [chat, 4],
  [programsActor, 4],
  [a2a, 2],
  [mcp, 3],
  [mention, 1],
  [press, 1],
]

export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { engine, seed, faults, nodes: nodeCount = 4, progress = () => {} } = options
  const random = createRandom(seed)
  const [started, startedAt] = [performance.now(), Date.now()]
  const now = (): number => performance.now() - started
  const cleanups: (() => unknown)[] = []
  try {
    progress("starting")
    const database = await openDatabase(engine)
    cleanups.push(database.close)
    const [folder, ledger, people, proxy, mail, slack] = await Promise.all([
      mkdtemp(join(tmpdir(), "holdpoint-storm-")),
      openLedger(random.fork("ledger"), now),
      openPeople(),
      openProxy(),
      startMailServer(),
      openSlackWorld(subjects),
    ])
    cleanups.push(
      () => rm(folder, { recursive: true, force: true }),
      ledger.close,
      people.close,
      proxy.close,
      mail.close,
      slack.close,
    )
    const keys = serializeKeyRing(withNewKey())
    noteCanary("key", keys.trim().split(":")[1])
    const ports = await freePorts(nodeCount)
    const settings: StormSettings = {
      ...{ ledger: ledger.url, issuer: people.issuer, clientSecret: people.clientSecret },
      ...{ tokenKey: people.tokenKey, roles: people.roles },
      ...{ command: programAt(command), tools: fileURLToPath(new URL("tools", import.meta.url)) },
    }
    const shifts = ports.map(() => 0)
    const over = new AbortController()
    const before = await database.open()
    const programs = await addPrograms({
      ...{ storage: before, keys: parseKeyRing(keys, "the storm"), random: random.fork("programs") },
      isHanging: faults.includes("hang"),
    })
    const principals = subjects.map((subject) => ({ tenant: "storm", issuer: people.issuer, subject }))
    await linkAccounts(before, slack, principals)
    await before.close()
    slack.aim({ events: `${proxy.url}/slack/events`, interactivity: `${proxy.url}/slack/interactivity` })
    cleanups.push(...programs.map(({ receiver }) => receiver.close))
    const secrets = new Map([
      [keys.trim().split(":")[1] ?? keys, "key"],
      [people.clientSecret, "client_secret"],
      ...programs.flatMap(({ secrets: own }) => own),
      [slack.team().botToken, "slack_token"],
      [slack.signingSecret, "slack_signing_secret"],
    ])
    const nodes = createNodes({
      ...{ ports, cwd: folder, publicUrl: proxy.url },
      env: {
        HOLDPOINT_KEYS: keys,
        HOLDPOINT_DATABASE: database.url,
        [settingsVariable]: JSON.stringify(settings),
        SMTP_URL: mail.url,
        ...slackEnvironment(slack),
      },
      secrets,
      // As a supervisor does.
      onEnd: (at) => void pass(500).then(() => (over.signal.aborted ? undefined : nodes.start(at, shifts[at]))),
    })
    cleanups.push(nodes.endAll)
    proxy.aim(nodes.ports)
    await Promise.all(ports.map((_, at) => nodes.start(at)))
    const signedIn = await people.signIn(proxy.url)
    for (const person of signedIn)
      for (const secret of person.secrets()) secrets.set(secret, "token or cookie of a person")

    const history = createHistory()
    const endsAt = now() + options.seconds * 1_000
    const counted: Readonly<Record<string, () => number>> = {
      effects: () => ledger.effects.length,
      mails: () => mail.mails.length,
      "messages in Slack": () => slack.team().messages.length,
      "webhook events": () => programs.reduce((sum, { receiver }) => sum + receiver.received.length, 0),
      // In the database, and read at the end.
      "questions settled": () => Number.POSITIVE_INFINITY,
    }
    const countOf = (what: string): number => counted[what]?.() ?? history.counts.get(what) ?? 0
    const lacks = (): boolean => Object.entries(options.least ?? {}).some(([what, count]) => countOf(what) < count)
    const world: World = {
      ...{ url: proxy.url, people: signedIn, issuer: people.issuer, programs, slack, history, now, over: over.signal },
      isBlowing: () => now() < endsAt || (now() < endsAt + 2_000 * options.seconds && lacks()),
    }
    progress(`blowing for ${options.seconds} s, seed ${seed}`)
    const ticker = setInterval(() => progress(inWords(history, now())), 5_000)
    const parts: FaultParts = { world, nodes, proxy, database, shifts, restarts: [] }
    const acting = Promise.all(
      cast.flatMap(([actor, times], at) =>
        Array.from({ length: times }, (_, which) => actor(world, random.fork(`actor ${at} ${which}`))),
      ),
    )
    await blow(parts, faults, random.fork("faults"))
    await Promise.all(parts.restarts)
    await linger(world, Math.max(0, endsAt - now()))
    progress("quiet")
    const sealer = createSealer(parseKeyRing(keys, "the storm"))
    const collect = async (refused?: ReadonlySet<string>): Promise<Facts> => {
      const storage = await database.open()
      const stored = await readStore(storage, { programs, sealer, team: slack.team().id, refused }).finally(() =>
        storage.close(),
      )
      return {
        ...stored,
        effects: ledger.effects,
        ...{ answers: history.answers, ends: history.ends, works: history.works, streams: history.streams },
        messages: [...mailFacts(mail.mails, stored), ...slackFacts(slack, stored)],
        ...{ processes: nodes.processes, outputs: nodes.outputs },
      }
    }
    // Quiet as soon as nothing is missing any more.
    const quietUntil = now() + (options.quietSeconds ?? 60) * 1_000
    await Promise.race([acting, linger(world, quietUntil - now())])
    while (now() < quietUntil && !isQuiet(await collect())) await linger(world, 1_000)
    over.abort()
    await acting
    clearInterval(ticker)
    await nodes.endAll()
    const facts = await collect(
      new Set(history.answers.flatMap(({ question, said }) => (said === "no" ? question : []))),
    )
    history.count("questions settled", facts.questions.filter(({ status }) => status !== "pending").length)
    history.count("effects", ledger.effects.length)
    for (const { surface, key } of history.works)
      if (ledger.effects.some((effect) => effect.key === key)) history.count(`effects: ${surface}`)
    history.count(
      "webhook events",
      programs.reduce((sum, { receiver }) => sum + receiver.received.length, 0),
    )
    history.count(
      "webhooks with a wrong signature",
      programs.reduce((sum, { receiver }) => sum + receiver.refused, 0),
    )
    history.count("mails", mail.mails.length)
    history.count("messages in Slack", slack.team().messages.length)
    history.count("requests", proxy.requests)
    const findings = reconcile(facts)
    const after = await database.open()
    const traces = await traceOf(after, { ...facts, notes: history.notes }, { findings, startedAt }).finally(() =>
      after.close(),
    )
    return {
      seed,
      engine,
      counts: Object.fromEntries(history.counts),
      findings,
      traces,
      skipped: skippedFaults(faults, database),
    }
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}

function skippedFaults(faults: readonly FaultName[], database: StormDatabase): readonly string[] {
  return [
    ...(faults.includes("restart") && database.halt === undefined ? ["restart: SQLite has no server"] : []),
    ...(faults.includes("cut") && database.cut === undefined
      ? ["cut, between nodes and database: SQLite has no connections; those of clients are cut"]
      : []),
    ...(faults.includes("full") && database.disk.fill === undefined
      ? ["full: this machine does not let us mount a small disk; run the storm as root"]
      : []),
  ]
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  for (let at = 0; at < count; at++) ports.push(await freePort())
  return ports
}

function inWords({ counts, works }: History, ms: number): string {
  const words = ["questions seen", "replies read to the end", "kills", "terminations"].map(
    (name) => `${counts.get(name) ?? 0} ${name}`,
  )
  return `${Math.round(ms / 1_000)} s: ${works.length} works, ${words.join(", ")}`
}
