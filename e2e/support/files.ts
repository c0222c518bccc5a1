// Files for journeys to upload: real, long and broken ones.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { copyFile, mkdtemp, open, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const media = resolve(import.meta.dirname, "../../target/media");

/** Eight seconds of phone video. */
export const video = join(media, "phone.mp4");
/** Five seconds of music. */
export const audio = join(media, "sound.mp3");

/** Folder of generated files, kept until the process ends. */
let folder: string | undefined;

/** Returns a path for a file with that name in a new folder. */
async function placeFor(name: string): Promise<string> {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "vitrine-files-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return join(await mkdtemp(join(folder, "one-")), name);
}

/** Writes a file in a new folder; returns its path. */
export async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = await placeFor(name);
  await writeFile(path, content);
  return path;
}

export const largeFile = (name: string, size: number): Promise<string> => fileOf(name, randomBytes(size));

/** The video without its last third, as if the camera lost power. */
export async function brokenVideo(): Promise<string> {
  const whole = await readFile(video);
  return fileOf("cut.mp4", whole.subarray(0, Math.floor(whole.length * 0.6)));
}

/** The video padded to the given size with a box that players skip. */
export async function longVideo(size: number): Promise<string> {
  const path = await placeFor("long.mp4");
  await copyFile(video, path);
  const end = (await stat(path)).size;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size - end, 0);
  head.write("free", 4, "latin1");
  const file = await open(path, "r+");
  await file.write(head, 0, head.length, end);
  await file.truncate(size);
  await file.close();
  return path;
}

/** Two seconds of full HD video. */
export async function wideVideo(): Promise<string> {
  const path = await placeFor("wide.mp4");
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=25:duration=2"];
  const tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2"];
  const coded = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"];
  execFileSync("ffmpeg", ["-v", "error", ...picture, ...tone, ...coded, "-movflags", "+faststart", path]);
  return path;
}

/** An image in three colors. */
export async function imageFile(): Promise<string> {
  const path = await placeFor("harbour.png");
  const colours = "gradients=s=1200x800:c0=#0b3d5c:c1=#f2a65a:c2=#7a1f3d:n=3:seed=4";
  execFileSync("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", colours, "-frames:v", "1", path]);
  return path;
}

/** An image with a red and a blue half: left and right if it is wide, otherwise top and bottom. */
export async function halvesFile(shape: "wide" | "tall"): Promise<string> {
  const path = await placeFor("halves.png");
  const halves = ["red", "blue"].flatMap((colour) => ["-f", "lavfi", "-i", `color=${colour}:s=600x600,format=rgb24`]);
  const stack = shape === "wide" ? "hstack" : "vstack";
  execFileSync("ffmpeg", ["-v", "error", ...halves, "-filter_complex", stack, "-frames:v", "1", path]);
  return path;
}

/** A PDF with the given number of numbered pages. */
export function documentFile(pages = 1): Promise<string> {
  const font = 3 + pages * 2;
  const each = Array.from({ length: pages }, (_, index) => {
    const words = `BT /F1 24 Tf 40 400 Td (This is page ${index + 1}) Tj ET`;
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 450]/Contents ${4 + index * 2} 0 R/Resources<</Font<</F1 ${font} 0 R>>>>>>`,
      `<</Length ${words.length}>>stream\n${words}\nendstream`,
    ];
  });
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${each.map((_, index) => `${3 + index * 2} 0 R`).join(" ")}]/Count ${pages}>>`,
    ...each.flat(),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  const end = `trailer<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${text.length}\n%%EOF\n`;
  return fileOf("figures.pdf", text + table + end);
}

/** A small video of this many seconds, with a tone. */
export async function calmVideo(seconds: number): Promise<string> {
  const path = await placeFor("calm.mp4");
  const picture = ["-f", "lavfi", "-i", `testsrc=size=640x360:rate=4:duration=${seconds}`];
  const tone = ["-f", "lavfi", "-i", `sine=frequency=220:duration=${seconds}`];
  const coded = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "8", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"];
  execFileSync("ffmpeg", ["-v", "error", ...picture, ...tone, ...coded, "-movflags", "+faststart", path]);
  return path;
}
