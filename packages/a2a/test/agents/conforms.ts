// A test that names the requirements of the official kit that it shows.

import type { A2aRequirementId } from "@holdpoint/testkit/a2a/agents/requirements"
import { it, type TestFunction } from "vitest"

export function conforms(
  _ids: A2aRequirementId | readonly A2aRequirementId[],
  title: string,
  fn: TestFunction,
  timeout?: number,
): void {
  it(title, fn, timeout)
}

/** The same for a table of cases. */
conforms.each = (_ids: A2aRequirementId | readonly A2aRequirementId[]): typeof it.each =>
  it.each.bind(it) as typeof it.each
