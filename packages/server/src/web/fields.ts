// Renders the fields of a form as HTML, from the nodes of forms/. Times are in UTC until the script shows local times.

import { type FieldsView, fieldNodes, problemSummaryNodes, toHtml } from "@holdpoint/hub/forms"
import { raw } from "hono/html"
import type { Html } from "./html.ts"

export function formFields(view: FieldsView): Html {
  return raw(toHtml(fieldNodes({ ...view, times: "utc" })))
}

/** A list of all problems, each with a link to its field; false when there are none. */
export function problemSummary(view: FieldsView): Html | false {
  const nodes = problemSummaryNodes(view)
  return nodes.length > 0 && raw(toHtml(nodes))
}
