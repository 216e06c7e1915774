// Whether a media query holds.

import { useLayoutEffect, useState } from "../../vendor/hooks.js";

/** @param {string} query */
export function useMedia(query) {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useLayoutEffect(() => {
    const media = matchMedia(query);
    const turn = () => setHolds(media.matches);
    media.addEventListener("change", turn);
    return () => media.removeEventListener("change", turn);
  }, [query]);
  return holds;
}
