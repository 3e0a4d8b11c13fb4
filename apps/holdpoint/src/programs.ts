// The actions of `holdpoint programs`: add, list, remove. The key of a program is printed once, when it is added.

import type { PrincipalId } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { AskRule } from "@holdpoint/hub/internal"
import { createPrograms, type Program, shownKeyOf } from "@holdpoint/server/identity"
import type { Call, ExitCode } from "./command.ts"
import { nameOf } from "./describe.ts"
import { inWords } from "./duration.ts"
import { findPeople } from "./find-people.ts"
import { toCommand } from "./instructions.ts"
import { withIsoTimes } from "./iso-times.ts"
import { bold, dim } from "./output.ts"
import { type StorageSession, withStorage } from "./session.ts"
import { wrongUse } from "./wrong-use.ts"

export function addProgram(call: Call): Promise<ExitCode> {
  const name = readName(call, "add")
  const modes = readModes(call)
  return withStorage(call, { mustExist: false }, async (session) => {
    const { tenant } = session.settings.me
    const programs = open(call, session)
    const existing = (await programs.list(tenant)).find((one) => one.name === name)
    if (existing !== undefined)
      throw wrongUse(`A program “${name}” already exists.`, "Choose another name, or remove that program first.")
    const rule: AskRule = { to: await readAudience(call, session), modes }
    const { program, key } = await programs.add({ tenant, name, may: rule })
    if (call.args.has("json")) call.out.json({ ...toPublic(program), key })
    else call.out.say(key)
    call.out.note(bold(`${name} `), `may ask ${ruleWords(program)}.`)
    call.out.note("This is its key, shown once. The program sends it as: Authorization: Bearer hp_…")
    return 0 as const
  })
}

export function listPrograms(call: Call): Promise<ExitCode> {
  return withStorage(call, { mustExist: true }, async (session) => {
    const programs = await open(call, session).list(session.settings.me.tenant)
    if (call.args.has("json")) call.out.json(programs.map(toPublic))
    else printPrograms(call, programs)
    return 0 as const
  })
}

export function removeProgram(call: Call): Promise<ExitCode> {
  const nameOrId = readName(call, "remove")
  return withStorage(call, { mustExist: true }, async (session) => {
    const programs = open(call, session)
    const tenantPrograms = await programs.list(session.settings.me.tenant)
    const matches = tenantPrograms.filter(({ id, name }) => name === nameOrId || id === nameOrId)
    const [program, second] = matches
    if (program === undefined) {
      const list = toCommand(["programs", "list"], session.settings)
      throw new HoldpointError("not_found", `There is no program “${nameOrId}”. \`${list}\` lists them.`)
    }
    if (second !== undefined)
      throw wrongUse(
        `${matches.length} programs have the name “${nameOrId}”.`,
        ["Write the id of one of them:", ...matches.map((one) => `  ${one.id}  ${madeByOf(one)}`)].join("\n"),
      )
    await programs.remove(program, session.settings.me)
    if (call.args.has("json")) call.out.json(toPublic(program))
    else call.out.say(`Removed ${program.name}. Its key is revoked; its open questions stay open.`)
    return 0 as const
  })
}

const open = ({ io }: Call, { storage }: StorageSession) => createPrograms({ storage, runtime: io.runtime })

function readName({ args }: Call, action: string): string {
  const [, name] = args.words
  if (name === undefined)
    throw wrongUse("The name of the program is missing.", `Write: holdpoint programs ${action} NAME`)
  return name
}

function readModes({ args }: Call): AskRule["modes"] {
  const onlyMode = args.one("only")
  if (onlyMode === undefined) return ["form", "url"]
  if (onlyMode !== "form" && onlyMode !== "url")
    throw wrongUse(`--only cannot be “${onlyMode}”.`, "Write --only form or --only url.")
  return [onlyMode]
}

async function readAudience(call: Call, session: StorageSession): Promise<AskRule["to"]> {
  const [to, roles] = [call.args.all("to"), call.args.all("to-role")]
  if (to.length === 0 && roles.length === 0) return "anyone"
  return { people: to.length === 0 ? [] : await findPeople(call, session, to), roles }
}

/** The program without the hash of its key. */
function toPublic(program: Program) {
  const { keyHash: _hash, version: _version, ...rest } = program
  return { ...(withIsoTimes(rest) as object), key: shownKeyOf(program) }
}

function printPrograms({ out, io }: Call, programs: readonly Program[]): void {
  if (programs.length === 0) out.say("No program has a key. To make one: holdpoint programs add NAME")
  for (const program of programs) {
    const { name, lastUsedAt } = program
    const lastUse = lastUsedAt === undefined ? "never used" : `last used ${inWords(io.runtime.now() - lastUsedAt)} ago`
    out.say(bold(name), `  ${shownKeyOf(program)}  `, dim(lastUse))
    out.say(`    may ask ${ruleWords(program)}; ${madeByOf(program)}`)
  }
}

function ruleWords({ may: { to, modes } }: Pick<Program, "may">): string {
  const audience =
    to === "anyone" ? ["anyone"] : [...to.people.map(nameOf), ...to.roles.map((role) => `the role ${role}`)]
  const modeWords = modes.length > 1 ? "" : modes[0] === "form" ? ", with forms only" : ", with links only"
  return `${audience.join(", ")}${modeWords}`
}

const madeByOf = ({ madeBy }: { readonly madeBy?: PrincipalId }): string =>
  madeBy === undefined ? "made on the command line" : `made by ${nameOf(madeBy)}`
