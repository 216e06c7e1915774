// The looks of a step by their layer and head, counted from 1 as people do: layer 2, head 3 is "2.3".

/**
 * The short name of a look, which a link can hold.
 * @param {{ layer: number, head: number }} given
 */
export function lookName({ layer, head }) {
  return `${layer + 1}.${head + 1}`;
}

/**
 * Which of `looks` has that name; null where none has.
 * @param {{ layer: number, head: number }[]} looks
 * @param {string | null | undefined} name
 */
export function lookNamed(looks, name) {
  const index = looks.findIndex((look) => lookName(look) === name);
  return index < 0 ? null : index;
}

/**
 * What looks there are: "4 heads in each of 4 layers", or "3 heads".
 * @param {{ layer: number, head: number }[]} looks
 */
export function manyLooks(looks) {
  const layers = new Set(looks.map(({ layer }) => layer)).size;
  return layers > 1 ? `${looks.length / layers} heads in each of ${layers} layers` : `${looks.length} heads`;
}
