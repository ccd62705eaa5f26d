// What a file is by its name, and which files are judged together.

export const isRecord = (name) => name.toLowerCase().endsWith(".seat");

// Whether all files of these names are judged together: no file is passed over in silence.
export function isJudged(names) {
  const records = names.filter(isRecord).length, logs = names.length - records;
  return logs === 0 ? records <= 2 : logs <= 2 && records <= 1;
}
