// views.*: modals. https://docs.slack.dev/surfaces/modals

import type { Fields } from "../limits/check.ts"
import { checkView, mostViewBytes } from "../limits/views.ts"
import { type Call, type Method, refuse, textOf } from "../method.ts"
import type { OpenView, Team, World } from "../world.ts"
import { withId } from "./chat.ts"

/** A trigger is good for this long, and for one view. */
export const triggerMs = 3000

const open: Method = (call) => {
  const view = viewOf(call)
  const trigger = call.world.triggers.get(textOf(call.args, "trigger_id"))
  if (trigger === undefined || trigger.team !== call.team.id) refuse("invalid_trigger_id")
  if (call.world.clock.now() - trigger.at > triggerMs) refuse("expired_trigger_id")
  if (trigger.isUsed) refuse("exchanged_trigger_id")
  trigger.isUsed = true
  const openView = storeView(call.world, call.team, trigger.user, view)
  return { view: viewToWire(call.world, call.team, openView) }
}

const update: Method = (call) => {
  const { team, world, args } = call
  const view = viewOf(call)
  const current = [...team.views.values()].find(
    (one) => one.id === args.view_id || (args.external_id !== undefined && one.view.external_id === args.external_id),
  )
  if (current === undefined) refuse("not_found")
  if (args.hash !== undefined && args.hash !== current.hash) refuse("hash_conflict")
  const next = storeView(world, team, current.user, view, current.id)
  return { view: viewToWire(world, team, next) }
}

export const viewMethods: Readonly<Record<string, Method>> = { "views.open": open, "views.update": update }

/** Shows a view to a person, in place of the one with that id or as a new one. */
export function storeView(world: World, team: Team, user: string, view: Fields, id = world.newId("V")): OpenView {
  const blocks = (view.blocks as readonly Fields[]).map(withId)
  const openView: OpenView = { id, user, hash: world.newTs(), view: { ...view, blocks }, errors: {} }
  team.views.set(id, openView)
  world.changed()
  return openView
}

/** A view as the Web API and interactions show it. */
export function viewToWire(world: World, team: Team, { id, hash, view }: OpenView): Fields {
  return {
    id,
    team_id: team.id,
    app_id: world.appId,
    app_installed_team_id: team.id,
    bot_id: team.botId,
    private_metadata: "",
    callback_id: "",
    external_id: "",
    close: null,
    submit: null,
    clear_on_close: false,
    notify_on_close: false,
    previous_view_id: null,
    root_view_id: id,
    state: { values: {} },
    hash,
    ...view,
  }
}

function viewOf({ args }: Call): Fields {
  if (args.view === undefined) refuse("invalid_arguments", ["missing required field: view [json-pointer:/view]"])
  const faults = checkView(args.view)
  if (faults.length > 0) refuse("invalid_arguments", faults)
  if (Buffer.byteLength(JSON.stringify(args.view)) > mostViewBytes) refuse("view_too_large")
  return args.view as Fields
}
