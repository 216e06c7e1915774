// Brings the card that a link names into view, and keeps it there while the page around it is still growing.

const PATIENCE = 10_000; // ms until the last part of a page has its size, on a slow machine
const HANDS = ["wheel", "touchstart", "pointerdown", "keydown"];

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector("span");
  if (place.arrived === data.card) return undefined;
  place.arrived = data.card;
  const target = place.getRootNode().host?.closest(".st-key-cards") ?? place;
  const end = () => {
    watch.disconnect();
    clearTimeout(later);
    HANDS.forEach((name) => window.removeEventListener(name, end, true));
  };
  const go = () => target.scrollIntoView({ block: "start" });
  const watch = new ResizeObserver(go); // calls at once, and at every change
  watch.observe(target.parentElement);
  const later = setTimeout(end, PATIENCE);
  HANDS.forEach((name) => window.addEventListener(name, end, true)); // a reader who scrolls is not pulled back
  return end;
}
