// What a window reaches, as a Streamlit component.

import { mounted } from "./mount.js";
import { createReach } from "./reach.js";

export default mounted(createReach);
