// Numbers with the singular or plural of their noun: “1 event”, “2 events”.

export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`
