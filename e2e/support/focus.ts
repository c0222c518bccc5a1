// Moving by keyboard: each element that gets the focus has to show it.
import type { Locator, Page } from "@playwright/test";
import { expect } from "./test.ts";

/** More stops than any screen has. */
const STOPS_MAX = 250;

declare global {
  interface Window {
    /** The rings of all elements before the focus moved. */
    ringsBefore: Map<Element, string>;
    ringsOf: (element: Element) => string;
    elementsIn: (root: Document | ShadowRoot) => Element[];
  }
}

/** Defines in the page how rings are read: the outlines and shadows of an element and its pseudo-elements that can be seen. */
function defineRings(): void {
  window.ringsOf = (element) =>
    [null, "::before", "::after"]
      .flatMap((part) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, content } = getComputedStyle(element, part);
        if (part !== null && content === "none") return [];
        const isClear = (color: string) => /(transparent|rgba\(.*, 0\)|\/ 0\))/.test(color);
        const hasOutline = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1 && !isClear(outlineColor);
        const outline = hasOutline ? [`${outlineWidth} ${outlineColor}`] : [];
        return boxShadow === "none" || isClear(boxShadow) ? outline : [...outline, boxShadow];
      })
      .join("; ");
  window.elementsIn = (root) =>
    [...root.querySelectorAll("*")].flatMap((element) =>
      element.shadowRoot === null ? [element] : [element, ...window.elementsIn(element.shadowRoot)],
    );
  window.ringsBefore = new Map(window.elementsIn(document).map((element) => [element, window.ringsOf(element)]));
}

/** Returns the focused element if it looks as without the focus. The ring may be drawn by what is around, beside or in it. */
async function ringless(): Promise<string> {
  const passing = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.all(passing.map((animation) => animation.finished.catch(() => null)));
  const element = document.activeElement;
  if (element === null || element === document.body) return "";
  const around: (Element | null)[] = [element.nextElementSibling];
  for (let outer: Element | null = element; outer !== null && around.length < 6; outer = outer.parentElement) around.push(outer);
  const inside = element.shadowRoot === null ? [] : window.elementsIn(element.shadowRoot);
  const isSeen = (one: Element) => {
    const { width, height } = one.getBoundingClientRect();
    const { opacity, clipPath } = getComputedStyle(one);
    return width > 4 && height > 4 && opacity !== "0" && !clipPath.startsWith("inset(50%");
  };
  const drawsRing = (one: Element) => {
    if (!isSeen(one)) return false;
    const rings = window.ringsOf(one);
    return rings !== "" && rings !== window.ringsBefore.get(one);
  };
  return [...around, ...inside].some((one) => one !== null && drawsRing(one)) ? "" : element.outerHTML.slice(0, 160);
}

/** Presses Tab. Returns the element that then has the focus if it does not show it. */
async function tab(page: Page): Promise<string> {
  await page.evaluate(defineRings);
  await page.keyboard.press("Tab");
  return page.evaluate(ringless);
}

/** Presses Tab until an element has the focus; each stop on the way shows that it has it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let stops = 0; !(await hasFocus()); stops += 1) {
    expect(stops, `stops before ${String(target)}`).toBeLessThan(STOPS_MAX);
    expect(await tab(page), "focused, but looks as without the focus").toBe("");
  }
}

/** Goes through a screen from its beginning to its end. Every stop shows that it has the focus. Returns how many there are. */
export async function tabThrough(page: Page): Promise<number> {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
  });
  const without: string[] = [];
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    const found = await tab(page);
    if (found !== "") without.push(found);
    const isOver = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body || element.hasAttribute("data-visited")) return true;
      element.setAttribute("data-visited", "");
      return false;
    });
    if (isOver) {
      expect.soft(without, `${page.url()}: focused, but look as without the focus`).toEqual([]);
      return stops;
    }
  }
  throw new Error(`the focus does not come back at ${page.url()}`);
}
