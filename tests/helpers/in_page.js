// What browser tests call in a page (call_in_page of javascript.py). A script, which a page evaluates, not a module.

/** Keep in `drawn` each text that is written on a canvas from now on, with its place and its sizes. */
function recordTexts() {
  window.drawn = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { width } = this.measureText(text);
    const size = parseFloat(this.font.match(/([\d.]+)px/)[1]);
    window.drawn.push({ text, x, y, width, size, top: this.getTransform().f / devicePixelRatio });
    fillText.call(this, text, x, y);
  };
}

/** Count in `pictures` how often the canvas of the bars is drawn from now on. */
function countPictures() {
  window.pictures = 0;
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    window.pictures += this.canvas.className === "ap-bars";
    clearRect.apply(this, box);
  };
}

/** Keep in `asked` the requests to the model from now on. */
function recordRequests() {
  window.asked = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...more) {
    if (message.request) window.asked.push(message.request);
    return postMessage.call(this, message, ...more);
  };
}

/** Move a mouse over a plot in rows, the first one `top` pixels below its edge: what the tooltips say, and where. */
async function tooltips(selector, top, down, across) {
  const plot = document.querySelector(selector);
  const box = plot.getBoundingClientRect();
  const move = (type, clientX, clientY) =>
    plot.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerType: "mouse", bubbles: true }));
  const found = [];
  for (let y = top; y < box.height; y += down) {
    for (let x = 4; x < box.width; x += across) {
      move("pointermove", box.left + x, box.top + y);
      await null; // components are drawn once the event is over
      const tip = document.querySelector(".ap-tip");
      if (!tip) continue;
      const [pair, where] = Array.from(tip.children, ({ textContent }) => textContent);
      const cells = Array.from(tip.querySelectorAll("td"), (cell) => [cell.dataset.name, cell.textContent]);
      const { left, right } = tip.getBoundingClientRect();
      found.push({ x: box.left + x, pair, where, numbers: Object.fromEntries(cells), left, right });
    }
  }
  move("pointerleave", 0, 0);
  return found;
}

/** The number of colours of the bars: of all, or of the last columns of pixels in the upper third. */
function countColors(columns = 0) {
  const canvas = document.querySelector(".ap-bars");
  const [width, height] = columns ? [columns, canvas.height / 3] : [canvas.width, canvas.height];
  const { data } = canvas.getContext("2d").getImageData(canvas.width - width, 0, width, height);
  return new Set(new Uint32Array(data.buffer)).size;
}

/** The colour of a canvas at a place, given as shares of its width and height. */
function colorAt(selector, across, down) {
  const canvas = document.querySelector(selector);
  const [x, y] = [Math.round(canvas.width * across), Math.round(canvas.height * down)];
  return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
}

/** The colours of a cell of the heatmap in its middle and at its corner; `row` counts from the marked row. */
function cellColors(row, column, columns) {
  const [marked, map] = [document.querySelector(".ap-row"), document.querySelector(".ap-map")];
  const [start, box] = [marked.getBoundingClientRect(), map.getBoundingClientRect()];
  const [width, height] = [(start.width - 4) / columns, start.height - 2];
  const [left, top] = [start.left + 2 + column * width, start.top + 1 + row * height];
  const at = (x, y) => [...map.getContext("2d").getImageData(x - box.left, y - box.top, 1, 1).data].join();
  return [at(left + width / 2, top + height / 2), at(left + 4, top + 4)];
}

/** Put something of this height above all else, and wait until the page has answered. */
async function growAbove(height) {
  const above = document.createElement("div");
  above.style.height = `${height}px`;
  document.body.prepend(above);
  for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
}

/** The theme after an event of the window, and whether the canvas was drawn again during it. */
function themeAfter(event) {
  const canvas = document.querySelector("canvas");
  const before = canvas.toDataURL();
  dispatchEvent(new Event(event));
  return [document.querySelector(".ap-root").dataset.theme, canvas.toDataURL() !== before];
}

/** Width and height of a line of text in a font. */
function lineSize(font) {
  const line = document.body.appendChild(document.createElement("span"));
  line.textContent = "Three young men in orange safety vests are talking at a tram stop, 0.98 and 0.61.";
  line.style.cssText = `font: ${font}; line-height: normal; display: inline-block;`;
  const { width, height } = line.getBoundingClientRect();
  return [width, height];
}

/** The names of the boxes of a path whose last text ends below the box. */
function cutBoxes() {
  const isCut = (box) => {
    const { right, bottom } = box.getBoundingClientRect();
    return [...box.querySelectorAll(".pl-label, .pl-say:not(:has(.pl-line)), .pl-line")].some((text) => {
      const place = text.getBoundingClientRect();
      return (place.left < right && place.bottom > bottom) || text.scrollHeight > text.clientHeight + 1;
    });
  };
  const boxes = [...document.querySelector(".pl").querySelectorAll(".pl-node")];
  return boxes.filter(isCut).map((box) => box.dataset.node);
}
