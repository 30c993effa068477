// A text as the beginning of a sentence.

export const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
