// Numbers with the singular or plural of their noun: “1 event”, “2 events”.

export const pluralize = (count: number, singular: string, plural = `${singular}s`): string =>
  count === 1 ? `1 ${singular}` : `${count} ${plural}`
