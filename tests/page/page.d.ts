// What the page finds in its window beside its own modules.

/** MQTT.js, the page's vendored client (`mqtt.min.js`). */
declare const mqtt: { connect(url: string, options: object): any };

interface Element {
  // A page draws what it then looks for: elements found by a selector are of the kind that was drawn.
  dataset: DOMStringMap;
  focus(options?: FocusOptions): void;
}
