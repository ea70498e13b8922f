/** What the page uses of its vendored MQTT client. */
export class MQTTClient {
  constructor(options: object);
  with_websock(socket: object): this;
  connect(packet: object): Promise<any>;
  subscribe(packet: object): Promise<any>;
  pub(packet: object, options?: object): Promise<any>;
  puback(packet: { pkt_id: number }): Promise<any>;
  ping(): Promise<any>;
}
