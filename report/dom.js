// Elements are made from text, never from HTML: names in a model may contain anything.

// Children are elements, texts, numbers or null; properties that begin with "on" are listeners.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on"))
      element.addEventListener(key.slice(2), value);
    else if (key === "style")
      Object.assign(element.style, value);
    else
      element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

export function card(title, id, ...children) {
  return el("section", {class: "card", id}, title ? el("h2", {}, title) : null, ...children);
}

// Label, slider and the value beside it. `show` makes the text of the value.
export function slider(label, {min, max, step = "any", value, show, input, title}) {
  const text = el("output", {}, show(value));
  const range = el("input", {type: "range", min, max, step, value, "aria-label": label});
  range.addEventListener("input", () => {
    const number = Number(range.value);
    text.textContent = show(number);
    input(number);
  });
  return el("label", {class: "slider", title}, el("span", {}, label), range, text);
}

export function checkbox(label, checked, change, title) {
  const box = el("input", {type: "checkbox"});
  box.checked = checked;
  box.addEventListener("change", () => change(box.checked));
  return el("label", {class: "check", title}, box, label);
}
