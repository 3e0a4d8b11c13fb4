// Samples for the guard over promises. Each function named after a fault has one that the guard must find.

declare const work: (name: string) => Promise<boolean>
declare const report: (error: unknown) => void
declare const isCertain: boolean

export async function floats(): Promise<void> {
  work("floats")
}

export async function isVoided(): Promise<void> {
  void work("is voided")
}

export async function hasOnlyThen(): Promise<void> {
  work("has only then").then(report)
}

export async function failsAfterItsCatch(): Promise<void> {
  work("fails after its catch").catch(report).then(report)
}

export async function isAwaitedLate(): Promise<boolean> {
  const late = work("is awaited late")
  await work("another")
  return late
}

export async function isAwaitedOnOnePath(): Promise<boolean> {
  const removed = work("is awaited on one path")
  if (isCertain || (await removed)) await work("another")
  return removed
}

export async function isStartedOnOnePath(): Promise<void> {
  const early = isCertain ? work("is started on one path") : undefined
  await work("another")
  await early
}

export async function hasAnOwner(): Promise<void> {
  const first = work("joined")
  await Promise.all([first, work("another")])
  const caught = work("caught")
  caught.catch(report)
  await work("another")
  await caught
  work("handled").then(report, report)
  work("finished")
    .catch(report)
    .finally(report as never)
  const given = work("given")
  const take = (): Promise<boolean> => given
  await take()
}
