/* mock_stream.c - mock driver: streams, events and graphs. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/cuda/mock_internal.h"

struct CUgraph_st {
    struct op *ops;
    uint64_t count;
};

struct CUgraphExec_st {
    struct CUgraph_st graph;
    const struct CUgraph_st *recorded; /* graph with the same nodes */
};

CALL(cuStreamCreate, struct CUstream_st **stream, unsigned flags)
{
    ENTER;
    if (flags != CUDA_STREAM_NON_BLOCKING || mock_here() < 0)
        return 1;
    *stream = queue_create(mock_here());
    mock_cuda.alive++;
    return CUDA_OK;
}

CALL(cuStreamDestroy_v2, struct CUstream_st *stream)
{
    ALONE;
    queue_destroy(stream);
    mock_cuda.alive--;
    return CUDA_OK;
}

CALL(cuStreamWaitEvent, struct CUstream_st *stream, struct CUevent_st *event, unsigned flags)
{
    ENTER;
    if (flags)
        return 1;
    if (event->stream)
        queue_add(stream,
                  &(struct op){.kind = OP_WAIT, .other = event->stream, .until = event->until});
    return CUDA_OK;
}

CALL(cuStreamSynchronize, struct CUstream_st *stream)
{
    ENTER;
    const bool stalled = mock_cuda.stalled;
    mock_cuda.stalled = false; /* a real driver would wait until work resumes */
    queue_reach(stream, stream->added);
    mock_cuda.stalled = stalled;
    return CUDA_OK;
}

CALL(cuStreamQuery, struct CUstream_st *stream)
{
    ENTER;
    return queue_reach(stream, stream->added) ? CUDA_OK : CUDA_NOT_READY;
}

CALL(cuEventCreate, struct CUevent_st **event, unsigned flags)
{
    ENTER;
    if (!(flags & CUDA_EVENT_NO_TIMING))
        return 1;
    *event = calloc(1, sizeof **event);
    mock_cuda.alive++;
    return CUDA_OK;
}

CALL(cuEventDestroy_v2, struct CUevent_st *event)
{
    ALONE;
    free(event);
    mock_cuda.alive--;
    return CUDA_OK;
}

CALL(cuEventRecord, struct CUevent_st *event, struct CUstream_st *stream)
{
    ENTER;
    event->stream = stream;
    event->until = stream->added;
    return CUDA_OK;
}

CALL(cuEventQuery, struct CUevent_st *event)
{
    ENTER;
    if (!event->stream)
        return CUDA_OK;
    return queue_reach(event->stream, event->until) ? CUDA_OK : CUDA_NOT_READY;
}

/* Work queued between begin and end becomes the graph and does not run. */
CALL(cuStreamBeginCapture_v2, struct CUstream_st *stream, int mode)
{
    ENTER;
    if (stream->capturing || mode != CUDA_CAPTURE_THREAD)
        return 1;
    queue_reach(stream, stream->added);
    stream->capturing = true;
    return CUDA_OK;
}

CALL(cuStreamEndCapture, struct CUstream_st *stream, struct CUgraph_st **graph)
{
    ENTER;
    struct CUgraph_st *g = calloc(1, sizeof *g);
    g->count = stream->added - stream->done;
    g->ops = calloc(g->count + 1, sizeof *g->ops);
    if (g->count)
        memcpy(g->ops, stream->ops + stream->done, g->count * sizeof *g->ops);
    stream->added = stream->done;
    stream->capturing = false;
    *graph = g;
    mock_cuda.alive++;
    return CUDA_OK;
}

CALL(cuGraphDestroy, struct CUgraph_st *graph)
{
    ALONE;
    free(graph->ops);
    free(graph);
    mock_cuda.alive--;
    return CUDA_OK;
}

CALL(cuGraphInstantiateWithFlags, struct CUgraphExec_st **ready, struct CUgraph_st *graph,
     unsigned long long flags)
{
    ENTER;
    if (flags)
        return 1;
    *ready = calloc(1, sizeof **ready);
    (*ready)->recorded = graph;
    (*ready)->graph.count = graph->count;
    (*ready)->graph.ops = calloc(graph->count + 1, sizeof *graph->ops);
    memcpy((*ready)->graph.ops, graph->ops, graph->count * sizeof *graph->ops);
    mock_cuda.alive++;
    return CUDA_OK;
}

/* A node is the address of an operation in the graph. */
CALL(cuGraphGetNodes, struct CUgraph_st *graph, struct CUgraphNode_st **nodes, size_t *count)
{
    ENTER;
    if (!nodes)
        *count = graph->count;
    for (size_t i = 0; nodes && i < *count && i < graph->count; i++)
        nodes[i] = (struct CUgraphNode_st *)(void *)&graph->ops[i];
    return CUDA_OK;
}

CALL(cuGraphExecKernelNodeSetParams_v2, struct CUgraphExec_st *ready, struct CUgraphNode_st *node,
     const struct cuda_kernel_node *what)
{
    ENTER;
    const uint64_t at = (uint64_t)((struct op *)(void *)node - ready->recorded->ops);
    if (at >= ready->graph.count || ready->graph.ops[at].kind != OP_LAUNCH || what->extra)
        return 1;
    mock_cuda.did.retargeted++;
    return mock_kernel_retarget(&ready->graph.ops[at], what);
}

CALL(cuGraphLaunch, struct CUgraphExec_st *ready, struct CUstream_st *stream)
{
    ENTER;
    mock_cuda.did.graphs++;
    for (uint64_t i = 0; i < ready->graph.count; i++)
        queue_add(stream, &ready->graph.ops[i]);
    return CUDA_OK;
}

CALL(cuGraphExecDestroy, struct CUgraphExec_st *ready)
{
    ALONE;
    free(ready->graph.ops);
    free(ready);
    mock_cuda.alive--;
    return CUDA_OK;
}
