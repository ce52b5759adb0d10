#pragma once

// Everything for a program on the web: routes, calls, coroutines, answers, and the server. Tests
// include <weir/web/probe.h>.

#include "weir/server/server.h"
#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/call.h"
#include "weir/web/channel.h"
#include "weir/web/error.h"
#include "weir/web/events.h"
#include "weir/web/extract.h"
#include "weir/web/flag.h"
#include "weir/web/form.h"
#include "weir/web/middleware.h"
#include "weir/web/multipart.h"
#include "weir/web/next.h"
#include "weir/web/readable.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/refusal.h"
#include "weir/web/resource.h"
#include "weir/web/response.h"
#include "weir/web/router.h"
#include "weir/web/stream.h"
#include "weir/web/task.h"
#include "weir/web/task_group.h"
#include "weir/web/together.h"
#include "weir/web/websocket.h"
